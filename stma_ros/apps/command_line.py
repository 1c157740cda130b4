"""The command line of `stma`: subcommands, options and their help texts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from stma_ros.types.renamed import RENAMED

Command = Callable[[argparse.Namespace], int]

_SET_OF_RUN = (
    "KEY is component.setting, world.option, model (what answers the roles), model.setting, recorder.setting or, "
    "plain, an option of the world; may be repeated"
)
_SET_OF_BENCH = (
    "KEY is component.setting, world.option, model (what answers the roles), model.setting, recorder.setting or, "
    "plain, a setting of the benchmark or an option of the world; may be repeated"
)
_SET_OF_RECORDING = (
    "KEY is component.setting, model (what answers the roles) or model.setting; may be repeated"
)


def make_parser(called: Mapping[str, Command]) -> argparse.ArgumentParser:
    """Makes the whole command line. called: the function of each subcommand, by its name."""
    parser = argparse.ArgumentParser(
        prog="stma",
        description="Give tasks to a mobile manipulator with a spatio-temporal memory, and measure it.",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(name: str, about: str, examples: Sequence[str], notes: str = "") -> argparse.ArgumentParser:
        listed = "\n".join(f"  stma {name} {example}".rstrip() for example in examples)
        added: argparse.ArgumentParser = commands.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.{notes and ' ' + notes}",
            epilog=f"examples:\n{listed}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        added.set_defaults(command=called[name])
        return added

    demo = add(
        "demo",
        "watch a simulated robot do three household tasks in a flat it does not know",
        ["", "--seed 3", "--seed 3 --out my_demo", "--world habitat", "--set map_yaw=0.5"],
    )
    _add_world(demo, "house or habitat")
    _add_seed(demo, "flat and targets")
    _add_set(demo, "KEY is an option of the world; may be repeated")
    _add_discovery(demo)
    _add_out(demo, "demo")

    run = add(
        "run",
        "give the robot one task, or let it play a text game",
        [
            '--task "find a mug"',
            '--task "find a mug" --runtime local --seed 4',
            '--task "find a mug" --memory my_home',
            '--task "put all books in the box" --scene my_flat.json',
            '--task "find a mug" --set spatial_memory.resolution=0.1 --set world.width=640',
            '--task "find a mug" --preset greedy --registry greedy.registry:AGENTS',
            "--world textworld --scene level_2 --seed 1000 --max-commands 50",
            '--task "find a mug" --set model=openai:qwen3-vl@http://localhost:8000/v1',
            "--world textworld --set model=recorded:runs/run-1",
            "--list --world textworld",
        ],
    )
    run.add_argument(
        "--task",
        metavar="TEXT",
        help="what to do, in plain English (default: what the scene asks for, as a text game does)",
    )
    run.add_argument(
        "--preset",
        metavar="P",
        help="which agent, by one of its presets (default: full, or the first one that fits the world)",
    )
    _add_registry(run)
    run.add_argument(
        "--list",
        action="store_true",
        help="run nothing; print the agents with their presets, and which fit the world (default: all worlds)",
    )
    _add_world(run, "house, habitat, scripted, textworld, jericho, pddl or programs")
    run.add_argument(
        "--scene",
        default="",
        metavar="S",
        help="scene of the world: flat_7, or the file of a saved flat; of textworld level_1 to level_4, or the file "
        "of a game; of pddl a domain, or the file of a problem; of jericho the file of a story (default: the flat of "
        "the seed, level_1, blocksworld)",
    )
    _add_seed(run, "scene")
    run.add_argument(
        "--max-commands",
        type=_count,
        default=0,
        metavar="N",
        help="skills it may execute (default: no limit)",
    )
    run.add_argument(
        "--memory",
        type=Path,
        metavar="DIR",
        help="remember the home from run to run, in this folder (default: forget it)",
    )
    _add_runtime(run, "ros")
    _add_discovery(run)
    _add_set(run, _SET_OF_RUN)
    _add_out(run, "run")

    ask = add(
        "ask",
        "answer questions from what a robot remembers of a home, without moving",
        [
            'my_home "What colour is the sofa?"',
            'my_home "Is there milk in the fridge?" "How many chairs are in the kitchen?" --pictures seen',
        ],
        "Times are relative to the end of the memory.",
    )
    ask.add_argument(
        "memory", type=Path, metavar="MEMORY", help="folder of the memory, as of `stma run --memory`"
    )
    ask.add_argument("question", nargs="+", metavar="QUESTION", help="in English; may be repeated")
    ask.add_argument(
        "--pictures", type=Path, metavar="DIR", help="write pictures of what the answers rest on there"
    )

    bench = add(
        "bench",
        "run a benchmark suite and print its table",
        [
            "rearrangement --set tasks=find --episodes 50 --seed 1",
            "rearrangement --episodes 20 --jobs 2 --json results.json",
            "rearrangement --set noise=true --set changes=2 --episodes 40",
            "rearrangement --episodes 5 --runtime ros --record",
            "perception --set noise=true --episodes 10",
            "frame_rate --runtime ros --episodes 2",
            "mapping",
            "frontiers --set large=500",
            "cooking --jobs 2",
            "cooking --set level=4 --episodes 50 --seed 1000 --jobs 2",
            "pddl --preset hiagent --preset standard --jobs 2",
            "pddl --problems DIR --set budget=50",
            "adventure --preset hiagent --set game=zork1.z3",
            "prompts --preset stma --preset react --jobs 2",
            "retrieval --set largest=100000",
            "experience_store --set largest=10000",
            "prompt_caches --set run=runs/bench-eqa-1",
            "bridge --set world=habitat",
            "habitat_lab --world habitat --set episodes=val.json.gz --episodes 20",
            "pointnav --set episodes=val.json.gz",
        ],
        "Exit status 0 when every episode ran to its end, solved or not.",
    )
    bench.add_argument(
        "suite",
        metavar="SUITE",
        help="rearrangement, activities, eqa, eqa_again, perception, frame_rate, cooking, pddl, programs, adventure, "
        "prompts, habitat_lab; mapping, mapping_latency, frontiers, retrieval, experience_store, learning, judging, "
        "prompt_caches, program_replay, bridge, pointnav",
    )
    bench.add_argument(
        "--preset",
        action="append",
        metavar="P",
        help="which agent; may be repeated (default: full, or the first one that fits the world)",
    )
    _add_registry(bench)
    bench.add_argument(
        "--world",
        metavar="W",
        help="which of the worlds that have the suite's scenes (default: the usual one)",
    )
    _add_set(bench, _SET_OF_BENCH)
    bench.add_argument(
        "--problems", type=Path, metavar="DIR", help="folder of planning problems in PDDL (pddl)"
    )
    bench.add_argument(
        "--episodes",
        type=_positive,
        metavar="N",
        help="in all (default: 50; cooking: 8 of each level; activities, eqa_again: 20; pddl: 60, or all --problems; "
        "adventure: 20, of one story 1; prompts: 5; programs, habitat_lab: all)",
    )
    bench.add_argument(
        "--seed",
        type=_count,
        metavar="N",
        help="seed of the suite; 0 to 99 are for reporting, develop on 1000 and above "
        "(default: 0; cooking: the 32 inferred games; habitat_lab: the episodes in their order)",
    )
    _add_runtime(bench, "local")
    _add_discovery(bench)
    bench.add_argument("--jobs", type=_positive, default=1, metavar="J", help="processes (default: 1)")
    bench.add_argument("--json", type=Path, metavar="FILE", help="write rows and episodes there as well")
    bench.add_argument("--record", action="store_true", help="keep a bag of every episode")
    _add_out(bench, "bench-SUITE")

    replay = add(
        "replay",
        "run a recorded run once more, offline, and say whether every decision comes out the same",
        [
            "runs/demo-1",
            "runs/run-1 --set planner.actions=1",
            "runs/run-1 --set model=openai:qwen3-vl@http://localhost:8000/v1",
            'my_robot_bag --topics-file topics.yaml --ask "where is the mug?"',
            "runs/demo-1 --publish --rate 2",
        ],
        "A robot's own recording, with camera, depth, camera_info and odometry or TF, is looked through instead: out "
        "come map, scene graph, keyframes and answers. Exit status 1 when something differs.",
    )
    _add_bag(replay)
    replay.add_argument("--preset", metavar="P", help="another agent than the recorded one")
    _add_registry(replay)
    _add_set(replay, _SET_OF_RECORDING)
    _add_topics(replay)
    replay.add_argument(
        "--ask",
        action="append",
        default=[],
        metavar="TEXT",
        help="of a robot's own recording: what was seen, and when; with @12.5 before it, as it was known after 12.5 s; "
        "may be repeated",
    )
    replay.add_argument(
        "--publish", action="store_true", help="play the messages onto the ROS graph, with /clock, instead"
    )
    replay.add_argument(
        "--rate", type=_rate, metavar="R", help="with --publish: times real time (default: 1)"
    )
    replay.add_argument(
        "--only",
        type=_selection,
        choices=("all", "robot", "inputs"),
        help="with --publish: all topics (default), those of the robot itself, or those and the executor's",
    )
    replay.add_argument(
        "--namespace", metavar="NS", help="with --publish: another namespace than the recorded robot's"
    )
    _add_discovery(replay)
    replay.add_argument("--json", type=Path, metavar="FILE", help="write what came of it there as well")
    _add_out(replay, "replay")

    score = add(
        "score",
        "score recorded runs offline, and compare presets or models on the same bags",
        [
            "runs/run-1",
            "runs/run-1 runs/run-2 --truth truth.yaml --html score.html",
            "runs/run-1 --grid map.yaml --questions questions.yaml",
            "runs/run-1 --truth truth.yaml --detectors",
            "runs/run-1 --preset stma --preset stma_no_critic",
            "runs/run-1 --set model=openai:qwen3-vl@http://localhost:8000/v1",
        ],
        "Scene graph, map, answers, decisions and times, in one table over all bags.",
    )
    score.add_argument(
        "bags", nargs="+", type=Path, metavar="BAG", help="folder of a run, or of a rosbag2 bag, or its file"
    )
    score.add_argument(
        "--truth",
        type=Path,
        metavar="FILE",
        help="how things really are (default: as the simulator recorded it)",
    )
    score.add_argument(
        "--grid", type=Path, metavar="FILE", help="a reference map: the YAML file of Nav2's map server"
    )
    score.add_argument(
        "--questions", type=Path, metavar="FILE", help="questions with their right answers, in YAML"
    )
    score.add_argument(
        "--detectors",
        action="store_true",
        help="score what perception's detectors find, too: perception.recall and precision",
    )
    score.add_argument(
        "--preset", action="append", metavar="P", help="another agent for the same decisions; may be repeated"
    )
    _add_registry(score)
    _add_set(score, _SET_OF_RECORDING)
    score.add_argument("--json", type=Path, metavar="FILE", help="write rows and bags there")
    score.add_argument("--csv", type=Path, metavar="FILE", help="write the table there")
    score.add_argument(
        "--html", type=Path, metavar="FILE", help="write a page with table, figures and disagreements there"
    )

    view = add(
        "view",
        "look inside a run: map, camera, scene graph, beliefs, plans and figures over time, in Rerun",
        ["runs/demo-1", "runs/demo-1 --web", "my_bag --save view.rrd --no-open"],
    )
    _add_bag(view)
    view.add_argument("--web", action="store_true", help="in the browser instead of a window")
    view.add_argument(
        "--save", type=Path, metavar="FILE.rrd", help="where to write it (default: view.rrd next to the bag)"
    )
    view.add_argument("--no-open", action="store_true", help="write the file, and open nothing")

    plot = add(
        "plot",
        "draw figures of benchmark results: the score over the commands, success over noise",
        ["cooking.json", "quiet.json noise_10.json noise_20.json --out figures"],
    )
    plot.add_argument("results", nargs="+", type=Path, metavar="FILE", help="what `stma bench --json` wrote")
    plot.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="folder for the figures (default: this one)"
    )
    plot.add_argument("--format", choices=("svg", "png"), default="svg", help="default: svg")

    scene = add(
        "scene",
        "describe a flat of the simulated house, and draw, export or save it",
        ["7", "7 --rooms 4 --draw flat.svg", "7 --glb flat.glb --save my_flat.json", "7 --habitat flat_7"],
    )
    scene.add_argument(
        "source", nargs="?", default="0", metavar="SEED|FILE", help="seed, or a saved flat (default: 0)"
    )
    scene.add_argument(
        "--rooms", type=_count, default=0, metavar="N", help="3 to 10 (default: as the seed draws it)"
    )
    scene.add_argument("--draw", type=Path, metavar="F.svg", help="draw it from above")
    scene.add_argument("--glb", type=Path, metavar="F.glb", help="export it as a 3D model")
    scene.add_argument("--save", type=Path, metavar="F.json", help="save it, to be loaded as a scene")
    scene.add_argument(
        "--habitat",
        type=Path,
        metavar="DIR",
        help="export it as a scene data set of habitat-sim, into this folder",
    )

    walk = add(
        "walk",
        "record what a person with a hand-held camera films in a flat of the simulated house",
        [
            "--seed 7 --out walk_7",
            "--seed 7 --set detector=weak --out walk_7",
            "--scene my_flat.json --set width=640 --set height=480 --seconds 30",
        ],
        "The bag is like that of another robot's camera: `stma doctor --bag` and `stma replay` read it. The truth is a "
        "file next to it, for `stma score --truth`.",
    )
    walk.add_argument(
        "--scene",
        default="",
        metavar="S",
        help="flat_7, or the file of a saved flat (default: the flat of the seed)",
    )
    _add_seed(walk, "flat, way and errors")
    walk.add_argument(
        "--seconds", type=_length, default=0.0, metavar="S", help="end after that time (default: all rooms)"
    )
    _add_set(walk, "KEY is an option of the world house; may be repeated")
    _add_out(walk, "walk")

    experiences = add(
        "experiences",
        "look at, exchange or forget the experiences that robots made with tasks",
        [
            "list experiences.db",
            "show experiences.db 3f9c",
            'rules experiences.db --task "find the mug"',
            "forget experiences.db 3f9c0d27b1a4e688",
            "export experiences.db lessons.jsonl --name anna",
            "import experiences.db lessons.jsonl",
        ],
    )
    _add_experience_actions(experiences)

    comparison = add(
        "compare-engines",
        "compare what the robot sees and runs into in the worlds habitat and house",
        ["", "--flats 2 --seed 1000", "--set world.width=640 --set world.height=480 --picture engines.png"],
        "Exit status 1 when a bar is missed.",
    )
    comparison.add_argument(
        "--flats", type=_positive, default=5, metavar="N", help="flats to compare in (default: 5)"
    )
    comparison.add_argument(
        "--seed",
        type=_count,
        default=0,
        metavar="N",
        help="draws flats and poses; 0 to 99 are for reporting, develop on 1000 and above (default: 0)",
    )
    _add_set(comparison, "KEY is world.option; may be repeated")
    comparison.add_argument("--json", type=Path, metavar="FILE", help="write the figures of every flat there")
    comparison.add_argument(
        "--picture", type=Path, metavar="FILE.png", help="draw what both worlds show, side by side"
    )

    serve = add(
        "serve-model",
        "serve a stand-in for a language model: rules behind the chat API of OpenAI, for tests and demos",
        [
            "",
            "--port 8400",
            "--misbehave too_many=0.1 --misbehave slow=0.05",
            "--misbehave all=0.02 --seed 1",
        ],
        "It reads the text of the prompts and nothing else.",
    )
    serve.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="address to listen at (default: 127.0.0.1)"
    )
    serve.add_argument(
        "--port", type=_count, default=8399, metavar="N", help="default: 8399; 0 = any that is free"
    )
    serve.add_argument(
        "--misbehave",
        action="append",
        default=[],
        metavar="KIND=RATE",
        help="share of the requests to answer badly: slow (by seconds=N), cut_off, hang_up, too_many, failing, "
        "invalid_json, wrong_schema, prose, disallowed or all; may be repeated",
    )
    serve.add_argument(
        "--key", default="", metavar="K", help="key that requests must come with (default: none)"
    )
    _add_seed(serve, "misbehaviour")

    detector = add(
        "fetch-detector",
        "get a trained detector of the 80 classes of COCO, as an ONNX file with its description",
        ["", "--out my_detectors", "--package vladmandic-human-3.3.6.tgz"],
        "It is downloaded with npm once.",
    )
    detector.add_argument(
        "--out", type=Path, metavar="DIR", help="folder of the files (default: ~/.cache/stma_ros/detectors)"
    )
    detector.add_argument(
        "--package", type=Path, metavar="FILE.tgz", help="the npm package, if it is already downloaded"
    )

    detect = add(
        "detect",
        "show what a network finds in photographs",
        ["~/.cache/stma_ros/detectors/coco_centernet.yaml kitchen.jpg desk.png --out found"],
    )
    detect.add_argument("network", type=Path, metavar="FILE.yaml", help="describes the network")
    detect.add_argument("pictures", nargs="+", type=Path, metavar="PICTURE", help="PNG, JPEG and the like")
    detect.add_argument(
        "--out",
        type=Path,
        default=Path("detected"),
        metavar="DIR",
        help="pictures with boxes (default: detected)",
    )

    train = add(
        "train",
        "train the networks that find the things of the simulated house",
        ["my_network", "my_network --flats 4 --images 200 --regions 2000 --threads 2"],
        "A training that was broken off goes on where its folder ends. It needs the extras house, models and vision.",
    )
    train.add_argument(
        "folder", type=Path, metavar="DIR", help="for images, checkpoints, learning curves and networks"
    )
    train.add_argument(
        "--flats", type=_positive, default=1600, metavar="N", help="flats to render (default: 1600)"
    )
    train.add_argument(
        "--images",
        type=_positive,
        default=150000,
        metavar="N",
        help="images for the network of pixels to see, each several times (default: 150000)",
    )
    train.add_argument(
        "--regions",
        type=_count,
        default=240000,
        metavar="N",
        help="regions for the network that names them to see (default: 240000); 0 = there is no such network",
    )
    train.add_argument("--threads", type=_positive, default=2, metavar="N", help="default: 2")
    _add_seed(train, "first weights and order of the images")

    doctor = add(
        "doctor",
        "say what is installed, what is missing and what to do about it",
        [
            "",
            "--topics",
            "--topics --namespace robot_1",
            "--model --set model=openai:qwen3-vl@http://localhost:8000/v1",
            "--bag my_robot_bag",
        ],
        "Exit status 1 when something needed is missing.",
    )
    doctor.add_argument(
        "--topics", action="store_true", help="look for a running robot and what it publishes"
    )
    doctor.add_argument("--namespace", default="", metavar="NS", help="the robot's namespace (default: none)")
    _add_discovery(doctor)
    doctor.add_argument(
        "--model", action="store_true", help="send each role's example to the model that --set names for it"
    )
    doctor.add_argument(
        "--bag", type=Path, metavar="BAG", help="say what is in a recording, and what is missing"
    )
    _add_topics(doctor)
    _add_set(doctor, "with --model: KEY is model (what answers the roles) or model.setting; may be repeated")
    return parser


def _add_bag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bag", type=Path, metavar="RUN_DIR|BAG", help="folder of a run, or of a rosbag2 bag, or its file"
    )


def _add_topics(parser: argparse.ArgumentParser) -> None:
    text = "YAML file that assigns the topics of a robot's own recording (default: by type and name)"
    parser.add_argument("--topics-file", type=Path, metavar="FILE", dest="mapping", help=text)


def _add_world(parser: argparse.ArgumentParser, worlds: str) -> None:
    parser.add_argument("--world", metavar="W", help=f"which world: {worlds} (default: house)")


def _add_registry(parser: argparse.ArgumentParser) -> None:
    text = "registry of agents of your own, in a module on PYTHONPATH (default: the agents of this package)"
    parser.add_argument("--registry", default="", metavar="MODULE:NAME", help=text)


def _add_seed(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--seed", type=_count, default=0, metavar="N", help=f"seed of the {what} (default: 0)"
    )


def _add_runtime(parser: argparse.ArgumentParser, default: str) -> None:
    text = f"as a graph of ROS nodes, or in this process without ROS (default: {default})"
    parser.add_argument("--runtime", choices=("ros", "local"), default=default, help=text)


def _add_discovery(parser: argparse.ArgumentParser) -> None:
    text = (
        "which hosts find the ROS nodes: localhost, subnet (every host of the network can then command the robot), or "
        "what the environment says (default: environment, which is localhost where it says nothing)"
    )
    parser.add_argument("--discovery", choices=("environment", "localhost", "subnet"), help=text)


def _add_set(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="assignments", help=text
    )


def _add_out(parser: argparse.ArgumentParser, name: str) -> None:
    text = f"folder for what the run leaves behind (default: the next free runs/{name}-N)"
    parser.add_argument("--out", type=Path, metavar="DIR", help=text)


def _selection(text: str) -> str:
    if renamed := RENAMED.get(f"--only {text}"):
        raise argparse.ArgumentTypeError(f"{text!r} is called {renamed.rpartition(' ')[2]!r} now")
    return text


def _length(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"a time in seconds, 0 or more, is needed, not {text!r}")
    return seconds


def _count(text: str) -> int:
    return _whole(text, 0)


def _positive(text: str) -> int:
    return _whole(text, 1)


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"wants a number, got {text!r}") from error
    if not 0 < rate < float("inf"):
        raise argparse.ArgumentTypeError(f"must be above 0, got {text}")
    return rate


def _whole(text: str, least: int) -> int:
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"wants a whole number, got {text!r}") from error
    if number < least:
        raise argparse.ArgumentTypeError(f"must be at least {least}, got {number}")
    return number


def _add_experience_actions(experiences: argparse.ArgumentParser) -> None:
    """Adds the actions of `stma experiences`; `options.action` is the name of the one that was given."""
    actions = experiences.add_subparsers(title="actions", metavar="ACTION", required=True, dest="action")

    def add(name: str, about: str) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = actions.add_parser(
            name, help=about, description=f"{about[0].upper()}{about[1:]}."
        )
        added.add_argument(
            "store", metavar="STORE", help="file of the experiences, or postgresql://USER@HOST/DATABASE"
        )
        return added

    listing = add("list", "list them, the best judged first")
    listing.add_argument("--limit", type=_count, default=50, metavar="N", help="0 = all (default: 50)")
    show = add("show", "show one, step by step")
    show.add_argument("id", metavar="ID", help="or as much of its beginning as only one has")
    rules = add("rules", "show what all of them together tell about where things are")
    rules.add_argument(
        "--task", default="", metavar="TEXT", help="only about the things that it names (default: all things)"
    )
    rules.add_argument("--domain", default="household", metavar="D", help="of the tasks (default: household)")
    forget = add("forget", "forget some for good")
    forget.add_argument("ids", nargs="+", metavar="ID", help="whole, as `list` prints it")
    export = add(
        "export", "write them to a file of JSON Lines, without the names of homes and of people in the texts"
    )
    export.add_argument("file", type=Path, metavar="FILE", help="is replaced")
    export.add_argument(
        "--name", action="append", default=[], metavar="NAME", help="a name to leave out; may be repeated"
    )
    export.add_argument(
        "--private", action="store_true", help="leave nothing out: for a copy that stays in the home"
    )
    import_ = add("import", "add those of a file of JSON Lines")
    import_.add_argument("file", type=Path, metavar="FILE", help="as `export` writes it")
