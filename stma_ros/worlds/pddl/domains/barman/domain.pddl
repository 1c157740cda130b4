; Drinks that are mixed from the ingredients of dispensers, with two hands, a shaker and shot glasses.
(define (domain barman)
  (:requirements :strips :typing)
  (:types
    hand level beverage dispenser container - object
    ingredient cocktail - beverage
    shot shaker - container)
  (:predicates
    (on-table ?container - container)
    (holding ?hand - hand ?container - container)
    (hand-empty ?hand - hand)
    (empty ?container - container)
    (contains ?container - container ?beverage - beverage)
    (clean ?container - container)
    (used ?container - container ?beverage - beverage)
    (dispenses ?dispenser - dispenser ?ingredient - ingredient)
    (empty-level ?shaker - shaker ?level - level)
    (at-level ?shaker - shaker ?level - level)
    (next ?lower - level ?higher - level)
    (unshaken ?shaker - shaker)
    (shaken ?shaker - shaker)
    (part1 ?cocktail - cocktail ?ingredient - ingredient)
    (part2 ?cocktail - cocktail ?ingredient - ingredient))

  (:action grasp
    :parameters (?hand - hand ?container - container)
    :precondition (and (on-table ?container) (hand-empty ?hand))
    :effect (and (holding ?hand ?container) (not (on-table ?container)) (not (hand-empty ?hand))))

  (:action leave
    :parameters (?hand - hand ?container - container)
    :precondition (holding ?hand ?container)
    :effect (and (on-table ?container) (hand-empty ?hand) (not (holding ?hand ?container))))

  (:action fill-shot
    :parameters (?shot - shot ?ingredient - ingredient ?hand1 - hand ?hand2 - hand ?dispenser - dispenser)
    :precondition (and (holding ?hand1 ?shot) (hand-empty ?hand2) (dispenses ?dispenser ?ingredient)
                       (empty ?shot) (clean ?shot))
    :effect (and (contains ?shot ?ingredient) (used ?shot ?ingredient) (not (empty ?shot)) (not (clean ?shot))))

  (:action refill-shot
    :parameters (?shot - shot ?ingredient - ingredient ?hand1 - hand ?hand2 - hand ?dispenser - dispenser)
    :precondition (and (holding ?hand1 ?shot) (hand-empty ?hand2) (dispenses ?dispenser ?ingredient)
                       (empty ?shot) (used ?shot ?ingredient))
    :effect (and (contains ?shot ?ingredient) (not (empty ?shot))))

  (:action empty-shot
    :parameters (?hand - hand ?shot - shot ?beverage - beverage)
    :precondition (and (holding ?hand ?shot) (contains ?shot ?beverage))
    :effect (and (empty ?shot) (not (contains ?shot ?beverage))))

  (:action clean-shot
    :parameters (?shot - shot ?beverage - beverage ?hand1 - hand ?hand2 - hand)
    :precondition (and (holding ?hand1 ?shot) (hand-empty ?hand2) (empty ?shot) (used ?shot ?beverage))
    :effect (and (clean ?shot) (not (used ?shot ?beverage))))

  (:action pour-shot-to-clean-shaker
    :parameters (?shot - shot ?ingredient - ingredient ?shaker - shaker ?hand1 - hand ?lower - level ?higher - level)
    :precondition (and (holding ?hand1 ?shot) (contains ?shot ?ingredient) (empty ?shaker) (clean ?shaker)
                       (at-level ?shaker ?lower) (next ?lower ?higher))
    :effect (and (empty ?shot) (contains ?shaker ?ingredient) (unshaken ?shaker) (at-level ?shaker ?higher)
                 (not (contains ?shot ?ingredient)) (not (empty ?shaker)) (not (clean ?shaker))
                 (not (at-level ?shaker ?lower))))

  (:action pour-shot-to-used-shaker
    :parameters (?shot - shot ?ingredient - ingredient ?shaker - shaker ?hand1 - hand ?lower - level ?higher - level)
    :precondition (and (holding ?hand1 ?shot) (contains ?shot ?ingredient) (unshaken ?shaker)
                       (at-level ?shaker ?lower) (next ?lower ?higher))
    :effect (and (empty ?shot) (contains ?shaker ?ingredient) (at-level ?shaker ?higher)
                 (not (contains ?shot ?ingredient)) (not (at-level ?shaker ?lower))))

  (:action empty-shaker
    :parameters (?hand - hand ?shaker - shaker ?cocktail - cocktail ?level - level ?lowest - level)
    :precondition (and (holding ?hand ?shaker) (contains ?shaker ?cocktail) (shaken ?shaker)
                       (at-level ?shaker ?level) (empty-level ?shaker ?lowest))
    :effect (and (empty ?shaker) (at-level ?shaker ?lowest) (not (contains ?shaker ?cocktail)) (not (shaken ?shaker))
                 (not (at-level ?shaker ?level))))

  (:action clean-shaker
    :parameters (?hand1 - hand ?hand2 - hand ?shaker - shaker)
    :precondition (and (holding ?hand1 ?shaker) (hand-empty ?hand2) (empty ?shaker))
    :effect (clean ?shaker))

  (:action shake
    :parameters (?cocktail - cocktail ?ingredient1 - ingredient ?ingredient2 - ingredient ?shaker - shaker
                 ?hand1 - hand ?hand2 - hand)
    :precondition (and (holding ?hand1 ?shaker) (hand-empty ?hand2) (unshaken ?shaker)
                       (contains ?shaker ?ingredient1) (contains ?shaker ?ingredient2)
                       (part1 ?cocktail ?ingredient1) (part2 ?cocktail ?ingredient2))
    :effect (and (shaken ?shaker) (contains ?shaker ?cocktail) (not (unshaken ?shaker))
                 (not (contains ?shaker ?ingredient1)) (not (contains ?shaker ?ingredient2))))

  (:action pour-shaker-to-shot
    :parameters (?beverage - beverage ?shot - shot ?hand - hand ?shaker - shaker ?level - level ?lower - level)
    :precondition (and (holding ?hand ?shaker) (shaken ?shaker) (empty ?shot) (clean ?shot)
                       (contains ?shaker ?beverage) (at-level ?shaker ?level) (next ?lower ?level))
    :effect (and (contains ?shot ?beverage) (at-level ?shaker ?lower) (used ?shot ?beverage)
                 (not (empty ?shot)) (not (clean ?shot)) (not (at-level ?shaker ?level)))))
