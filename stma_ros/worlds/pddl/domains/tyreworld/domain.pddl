; Flat tyres that are replaced by spare ones, with the tools in the boot.
(define (domain tyreworld)
  (:requirements :strips :typing)
  (:types
    container hub portable - object
    tool wheel nut - portable)
  (:constants
    wrench jack pump - tool)
  (:predicates
    (open ?container - container)
    (closed ?container - container)
    (unlocked ?container - container)
    (in ?thing - portable ?container - container)
    (have ?thing - portable)
    (tight ?nut - nut ?hub - hub)
    (loose ?nut - nut ?hub - hub)
    (on-ground ?hub - hub)
    (jacked-up ?hub - hub)
    (fastened ?hub - hub)
    (unfastened ?hub - hub)
    (free ?hub - hub)
    (on ?wheel - wheel ?hub - hub)
    (inflated ?wheel - wheel)
    (not-inflated ?wheel - wheel)
    (intact ?wheel - wheel))

  (:action open
    :parameters (?container - container)
    :precondition (and (unlocked ?container) (closed ?container))
    :effect (and (open ?container) (not (closed ?container))))

  (:action close
    :parameters (?container - container)
    :precondition (open ?container)
    :effect (and (closed ?container) (not (open ?container))))

  (:action fetch
    :parameters (?thing - portable ?container - container)
    :precondition (and (in ?thing ?container) (open ?container))
    :effect (and (have ?thing) (not (in ?thing ?container))))

  (:action put-away
    :parameters (?thing - portable ?container - container)
    :precondition (and (have ?thing) (open ?container))
    :effect (and (in ?thing ?container) (not (have ?thing))))

  (:action loosen
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (tight ?nut ?hub) (on-ground ?hub))
    :effect (and (loose ?nut ?hub) (not (tight ?nut ?hub))))

  (:action tighten
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (loose ?nut ?hub) (on-ground ?hub))
    :effect (and (tight ?nut ?hub) (not (loose ?nut ?hub))))

  (:action jack-up
    :parameters (?hub - hub)
    :precondition (and (have jack) (on-ground ?hub))
    :effect (and (jacked-up ?hub) (not (on-ground ?hub)) (not (have jack))))

  (:action jack-down
    :parameters (?hub - hub)
    :precondition (jacked-up ?hub)
    :effect (and (on-ground ?hub) (have jack) (not (jacked-up ?hub))))

  (:action undo
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (jacked-up ?hub) (fastened ?hub) (loose ?nut ?hub))
    :effect (and (have ?nut) (unfastened ?hub) (not (fastened ?hub)) (not (loose ?nut ?hub))))

  (:action do-up
    :parameters (?nut - nut ?hub - hub)
    :precondition (and (have wrench) (have ?nut) (jacked-up ?hub) (unfastened ?hub))
    :effect (and (loose ?nut ?hub) (fastened ?hub) (not (unfastened ?hub)) (not (have ?nut))))

  (:action remove-wheel
    :parameters (?wheel - wheel ?hub - hub)
    :precondition (and (jacked-up ?hub) (on ?wheel ?hub) (unfastened ?hub))
    :effect (and (have ?wheel) (free ?hub) (not (on ?wheel ?hub))))

  (:action put-on-wheel
    :parameters (?wheel - wheel ?hub - hub)
    :precondition (and (have ?wheel) (jacked-up ?hub) (free ?hub) (unfastened ?hub))
    :effect (and (on ?wheel ?hub) (not (free ?hub)) (not (have ?wheel))))

  (:action inflate
    :parameters (?wheel - wheel)
    :precondition (and (have pump) (not-inflated ?wheel) (intact ?wheel))
    :effect (and (inflated ?wheel) (not (not-inflated ?wheel)))))
