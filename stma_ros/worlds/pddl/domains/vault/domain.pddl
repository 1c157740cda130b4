; A row of rooms behind doors with codes. All codes stand in a notebook that stays in the first room, and no door opens
; from behind.
(define (domain vault)
  (:requirements :strips :typing)
  (:types room door code notebook - object)
  (:predicates
    (at ?room - room)
    (leads ?door - door ?from - room ?to - room)
    (lies-in ?notebook - notebook ?room - room)
    (closed ?notebook - notebook)
    (open ?notebook - notebook)
    (opens ?code - code ?door - door)
    (locked ?door - door)
    (unlocked ?door - door))

  (:action open
    :parameters (?notebook - notebook ?room - room)
    :precondition (and (at ?room) (lies-in ?notebook ?room) (closed ?notebook))
    :effect (and (open ?notebook) (not (closed ?notebook))))

  (:action enter
    :parameters (?code - code ?door - door ?room - room ?to - room)
    :precondition (and (at ?room) (leads ?door ?room ?to) (locked ?door) (opens ?code ?door))
    :effect (and (unlocked ?door) (not (locked ?door))))

  (:action go
    :parameters (?door - door ?from - room ?to - room)
    :precondition (and (at ?from) (leads ?door ?from ?to) (unlocked ?door))
    :effect (and (at ?to) (not (at ?from)))))
