; Blocks on a table, and an arm that holds one of them.
(define (domain blocksworld)
  (:requirements :strips)
  (:predicates
    (on ?block ?below)
    (ontable ?block)
    (clear ?block)
    (holding ?block)
    (handempty))

  (:action pickup
    :parameters (?block)
    :precondition (and (clear ?block) (ontable ?block) (handempty))
    :effect (and (holding ?block) (not (ontable ?block)) (not (clear ?block)) (not (handempty))))

  (:action putdown
    :parameters (?block)
    :precondition (holding ?block)
    :effect (and (ontable ?block) (clear ?block) (handempty) (not (holding ?block))))

  (:action stack
    :parameters (?block ?below)
    :precondition (and (holding ?block) (clear ?below))
    :effect (and (on ?block ?below) (clear ?block) (handempty) (not (holding ?block)) (not (clear ?below))))

  (:action unstack
    :parameters (?block ?below)
    :precondition (and (on ?block ?below) (clear ?block) (handempty))
    :effect (and (holding ?block) (clear ?below) (not (on ?block ?below)) (not (clear ?block)) (not (handempty)))))
