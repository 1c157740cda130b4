"""Tests of recording and repeating the replies of models."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.models.chat import (
    ChatMessage,
    ChatReply,
    ChatRequest,
    Finish,
    MessageRole,
    ReplySchema,
    Usage,
)
from stma_ros.models.errors import (
    CallCanceledError,
    DeadlineError,
    NotRecordedError,
    UnreachableError,
)
from stma_ros.models.replies import (
    RecordedFailureError,
    RecordedModel,
    ReplyRecorder,
    find_recordings,
    request_key,
)
from stma_ros.models.sampling import Sampling
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ErrorCode, StorageError
from stma_ros.types.telemetry import REPLIES_FILE
from support.models.chat_requests import SCHEMA, SOON, SYSTEM, messages, request, tile
from support.models.reply_writer import MANY, long_request, write, write_many

GO_EAST = ChatReply('{"actions": ["go east"]}', Finish.STOP, Usage(120, 9, 80, 1), 1.25, 2)
AWAY = UnreachableError("m at http://here", "planner", "no connection", "Is the server running?")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / REPLIES_FILE


@pytest.fixture
def recorder(file: Path) -> Iterator[ReplyRecorder]:
    made = ReplyRecorder(file)
    yield made
    made.close()


def ask(model: RecordedModel, asked: ChatRequest) -> ChatReply:
    return model.chat(asked, CancelToken())


class TestRepeating:
    def test_recorded_reply_is_repeated(self, file: Path, recorder: ReplyRecorder) -> None:
        write(recorder, request("where to?"), GO_EAST)
        assert ask(RecordedModel(file), request("where to?")) == GO_EAST

    @pytest.mark.parametrize("error", [AWAY, DeadlineError("m", "planner", "no answer within 3 s")])
    @pytest.mark.parametrize("attempts", [0, 1, 4])  # 0: it was canceled before it was sent
    def test_recorded_error_is_repeated(
        self,
        file: Path,
        recorder: ReplyRecorder,
        error: UnreachableError | DeadlineError,
        attempts: int,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(error, "attempts", attempts)
        write(recorder, request("where to?"), error)
        with pytest.raises(RecordedFailureError) as again:
            ask(RecordedModel(file), request("where to?"))
        assert str(again.value) == str(error)
        assert (again.value.code, again.value.attempts) == (error.code, attempts)

    @pytest.mark.parametrize(
        ("error", "is_canceled"),
        [(CallCanceledError("m", "planner", "the task is over"), True), (AWAY, False)],
    )
    def test_recorded_error_tells_whether_the_call_was_canceled(
        self,
        file: Path,
        recorder: ReplyRecorder,
        error: UnreachableError | CallCanceledError,
        is_canceled: bool,
    ) -> None:
        write(recorder, request("where to?"), error)
        with pytest.raises(RecordedFailureError) as again:
            ask(RecordedModel(file), request("where to?"))
        assert again.value.is_canceled is is_canceled

    def test_repeated_request_has_its_recorded_replies_in_order_and_then_the_last(
        self, file: Path, recorder: ReplyRecorder
    ) -> None:
        asked = request("where to?")
        write(recorder, asked, ChatReply("one"))
        write(recorder, request("and now?"), ChatReply("other"))
        write(recorder, asked, AWAY)
        write(recorder, asked, ChatReply("three"))
        model = RecordedModel(file)

        def replied(question: str) -> str:
            try:
                return ask(model, request(question)).text
            except RecordedFailureError as error:
                return error.code.name

        replies = [
            replied("where to?"),
            replied("where to?"),
            replied("and now?"),
            replied("where to?"),
            replied("where to?"),
        ]
        assert replies == ["one", "MODEL_UNREACHABLE", "other", "three", "three"]
        model.start(None)
        assert replied("where to?") == "one"

    @given(st.text(st.characters()), st.text(st.characters()))
    def test_recording_preserves_any_text_on_one_line(self, question: str, reply: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / REPLIES_FILE
            recorder = ReplyRecorder(path)
            write(recorder, request(question), ChatReply(reply))
            recorder.close()
            assert ask(RecordedModel(path), request(question)).text == reply
            assert path.read_bytes().count(b"\n") == 1
            assert path.read_bytes().isascii()

    def test_recorded_reply_is_found_with_another_deadline(self, file: Path, recorder: ReplyRecorder) -> None:
        write(recorder, request("where to?", deadline=60.0), GO_EAST)
        assert ask(RecordedModel(file), request("where to?", deadline=1.0)) == GO_EAST

    def test_recorded_model_refuses_a_canceled_call(self, file: Path, recorder: ReplyRecorder) -> None:
        write(recorder, request("where to?"), GO_EAST)
        token = CancelToken()
        token.cancel("the user")
        with pytest.raises(CallCanceledError, match="the user"):
            RecordedModel(file).chat(request("where to?"), token)


class TestImages:
    def test_images_are_recorded_by_their_key(self, file: Path, recorder: ReplyRecorder) -> None:
        shown = tile(9)
        write(recorder, request(shown, "what is there?"), GO_EAST)

        (line,) = map(json.loads, file.read_text().splitlines())
        assert line["turns"][1]["parts"] == [{"image": shown.key}, "what is there?"]
        assert file.stat().st_size < 1000
        assert ask(RecordedModel(file), request(tile(9), "what is there?")) == GO_EAST

    def test_images_of_other_content_are_another_request(self, file: Path, recorder: ReplyRecorder) -> None:
        write(recorder, request(tile(9), "what is there?"), GO_EAST)
        with pytest.raises(NotRecordedError) as error:
            ask(RecordedModel(file), request(tile(8), "what is there?"))
        assert f"-{{'image': '{tile(9).key}'}}" in str(error.value)
        assert f"+{{'image': '{tile(8).key}'}}" in str(error.value)


class TestUnrecordedRequests:
    def test_unknown_request_is_refused_with_the_difference_from_the_nearest_one(
        self, file: Path, recorder: ReplyRecorder
    ) -> None:
        write(recorder, request("The robot is in the cellar.\nWhat now?", role="critic"), GO_EAST)
        write(recorder, request("Nothing is known yet."), GO_EAST)
        write(recorder, request("The robot is in the kitchen.\nIt holds a knife.\nWhat now?"), GO_EAST)

        with pytest.raises(NotRecordedError) as error:
            ask(RecordedModel(file), request("The robot is in the cellar.\nIt holds a knife.\nWhat now?"))

        text = str(error.value)
        assert error.value.code == ErrorCode.MODEL_NOT_RECORDED
        assert f"recording {file} did not answer the planner: this was never asked" in text
        lines = text.splitlines()
        assert "-The robot is in the kitchen." in lines
        assert "+The robot is in the cellar." in lines
        assert "Nothing is known yet." not in text

    def test_unknown_request_is_refused_with_the_setting_that_differs(
        self, file: Path, recorder: ReplyRecorder
    ) -> None:
        write(recorder, request("What now?"), GO_EAST)
        with pytest.raises(NotRecordedError) as error:
            ask(RecordedModel(file), replace(request("What now?"), max_tokens=7))
        assert {"-max_tokens: 100", "+max_tokens: 7"} <= set(str(error.value).splitlines())

    def test_unknown_request_is_refused_with_a_bounded_difference(
        self, file: Path, recorder: ReplyRecorder
    ) -> None:
        write(recorder, request("\n".join(f"before {n}" for n in range(500))), GO_EAST)
        with pytest.raises(NotRecordedError, match=r"\.\.\. and \d+ lines more") as error:
            ask(RecordedModel(file), request("\n".join(f"now {n}" for n in range(500))))
        assert len(str(error.value).splitlines()) < 40

    def test_unknown_role_is_refused_with_the_recorded_roles(
        self, file: Path, recorder: ReplyRecorder
    ) -> None:
        write(recorder, request("What now?"), GO_EAST)
        write(recorder, request("Is it right?", role="critic"), GO_EAST)
        with pytest.raises(NotRecordedError, match=r"Nothing was asked for this role.*: critic, planner"):
            ask(RecordedModel(file), request("What now?", role="reflector"))

    def test_request_to_an_empty_recording_is_refused(self, file: Path, recorder: ReplyRecorder) -> None:
        with pytest.raises(NotRecordedError, match="replies to: nobody"):
            ask(RecordedModel(file), request("What now?"))


class TestDamage:
    @pytest.fixture
    def whole(self, file: Path, recorder: ReplyRecorder) -> bytes:
        for number in range(3):
            write(recorder, request(f"question {number}"), ChatReply(f"answer {number}"))
        return file.read_bytes()

    def test_truncated_last_line_of_a_recording_is_ignored(self, file: Path, whole: bytes) -> None:
        lines = whole.splitlines(keepends=True)
        for length in range(len(lines[2])):
            file.write_bytes(lines[0] + lines[1] + lines[2][:length])
            assert ask(RecordedModel(file), request("question 1")).text == "answer 1"

    def test_last_line_of_a_recording_without_its_line_end_is_read(self, file: Path, whole: bytes) -> None:
        file.write_bytes(whole[:-1])
        assert ask(RecordedModel(file), request("question 2")).text == "answer 2"

    @pytest.mark.parametrize(
        "damage",
        [
            lambda line: b"17",
            lambda line: b"{}",
            lambda line: line.replace(b"answer", b"\xff\xfe"),
            lambda line: line.replace(b'"reply"', b'"rely"'),
            lambda line: line.replace(b'"stop"', b'"halt"'),
            lambda line: line.replace(b'"prompt_tokens"', b'"tokens"'),
            lambda line: line.replace(b'"turns"', b'"words"'),
            lambda line: json.dumps({**json.loads(line), "turns": 7}).encode(),
            lambda line: b"[" * 100_000,
        ],
        ids=range(9),
    )
    def test_damaged_line_before_the_last_is_refused_by_its_number(
        self, file: Path, whole: bytes, damage: Callable[[bytes], bytes]
    ) -> None:
        lines = whole.splitlines()
        file.write_bytes(b"\n".join((lines[0], damage(lines[1]), lines[2], b"")))
        with pytest.raises(StorageError, match=f"line 2 of {file} is damaged"):
            RecordedModel(file).start(None)

    @pytest.mark.parametrize("cut", [b"", b"{", b'{"request": "aa', b'{"request": "aa", "model": 1'])
    def test_line_that_was_cut_off_is_passed_over_if_others_follow_it(
        self, file: Path, whole: bytes, cut: bytes
    ) -> None:
        lines = whole.splitlines()
        file.write_bytes(b"\n".join((lines[0], cut, lines[2], b"")))
        model = RecordedModel(file)
        assert [ask(model, request(f"question {number}")).text for number in (0, 2)] == [
            "answer 0",
            "answer 2",
        ]

    def test_two_lines_that_ran_into_one_are_refused(self, file: Path, whole: bytes) -> None:
        lines = whole.splitlines()
        file.write_bytes(lines[0] + lines[1][:30] + lines[2] + b"\n" + lines[2] + b"\n")
        with pytest.raises(StorageError, match="line 1 of"):
            RecordedModel(file).start(None)


class TestRecording:
    def test_recorder_makes_a_missing_folder(self, tmp_path: Path) -> None:
        ReplyRecorder(tmp_path / "run" / "bag" / REPLIES_FILE).close()
        assert (tmp_path / "run" / "bag" / REPLIES_FILE).is_file()

    def test_recorder_refuses_a_folder_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "run").write_text("a file")
        with pytest.raises(StorageError, match=r"cannot be recorded in .*run/replies\.jsonl: File exists"):
            ReplyRecorder(tmp_path / "run" / REPLIES_FILE)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no disk that is always full")
    def test_recorder_reports_a_full_disk(self) -> None:
        full = ReplyRecorder(Path("/dev/full"))
        with pytest.raises(StorageError, match="No space left"):
            write(full, request("where to?"), GO_EAST)
        full.close()

    def test_recorder_appends_to_an_existing_recording(self, file: Path) -> None:
        for answer in ("one", "two"):
            recorder = ReplyRecorder(file)
            write(recorder, request("where to?"), ChatReply(answer))
            recorder.close()
        model = RecordedModel(file)
        assert [ask(model, request("where to?")).text for _ in range(2)] == ["one", "two"]

    def test_reply_after_a_line_that_was_cut_off_has_a_line_of_its_own(
        self, file: Path, recorder: ReplyRecorder
    ) -> None:
        """The line may be of another process, which was killed, or end where the disk was full."""
        write(recorder, request("where to?"), ChatReply("one"))
        with file.open("ab") as of_another:
            of_another.write(file.read_bytes()[:100])
        write(recorder, request("and now?"), ChatReply("two"))
        write(recorder, request("and then?"), ChatReply("three"))
        model = RecordedModel(file)
        asked = ("where to?", "and now?", "and then?")
        assert [ask(model, request(question)).text for question in asked] == ["one", "two", "three"]
        assert len(file.read_bytes().splitlines()) == 4

    def test_recorders_of_several_processes_never_mix_their_lines(self, file: Path) -> None:
        spawning = multiprocessing.get_context("spawn")
        start = spawning.Barrier(3)
        writers = [spawning.Process(target=write_many, args=(file, name, start)) for name in "ab"]
        for writer in writers:
            writer.start()
        start.wait(60)
        for writer in writers:
            writer.join(60)
        assert [writer.exitcode for writer in writers] == [0, 0]

        model = RecordedModel(file)
        # Empty lines may separate them, where a line seemed to be cut off while it was written.
        assert len(list(filter(None, file.read_bytes().splitlines()))) == 2 * MANY
        for name in "ab":
            for number in range(MANY):
                assert ask(model, long_request(name, number)).text == f"{name} {number}"

    def test_recorder_writes_nothing_after_it_is_closed_by_another_thread(
        self, file: Path, tmp_path: Path
    ) -> None:
        """In particular, it does not write into the file that has received its file descriptor."""
        for _ in range(20):
            recorder = ReplyRecorder(file)
            writing = threading.Event()

            def fill(recorder: ReplyRecorder = recorder, writing: threading.Event = writing) -> None:
                for _ in range(50):
                    write(recorder, request("where to?"), GO_EAST)
                    writing.set()

            writer = threading.Thread(target=fill)
            writer.start()
            assert writing.wait(SOON)
            recorder.close()
            with (tmp_path / "other").open("wb") as other:
                writer.join(SOON)
                other.flush()
            recorder.close()
            assert (tmp_path / "other").read_bytes() == b""
        assert ask(RecordedModel(file), request("where to?")) == GO_EAST


class TestFinding:
    @pytest.fixture
    def bench(self, tmp_path: Path) -> Path:
        """Returns a folder of two presets with two episodes each; each recorded reply names its episode."""
        for preset in ("full", "react"):
            for episode in ("000_a", "001_a"):
                folder = tmp_path / "bench" / preset / episode
                folder.mkdir(parents=True)
                recorder = ReplyRecorder(folder / REPLIES_FILE)
                write(recorder, request("who?"), ChatReply(f"{preset} {episode}"))
                recorder.close()
        return tmp_path / "bench"

    def test_recording_of_the_same_episode_is_preferred(self, bench: Path) -> None:
        model = RecordedModel(bench)
        for preset, episode in (("react", "000_a"), ("full", "001_a")):
            model.start(Path("later") / "bench" / preset / episode)
            assert ask(model, request("who?")).text == f"{preset} {episode}"

    def test_find_recordings_returns_all_when_the_episode_has_none(self, bench: Path) -> None:
        everything = sorted(bench.rglob(REPLIES_FILE))
        assert find_recordings(bench, bench / "full" / "007_z") == everything
        assert find_recordings(bench) == everything
        assert len(everything) == 4

    def test_find_recordings_of_a_file_returns_that_file(self, bench: Path) -> None:
        path = bench / "full" / "000_a" / REPLIES_FILE
        assert find_recordings(path) == [path]

    @pytest.mark.parametrize("name", ["", "away"])
    def test_folder_without_a_recording_is_refused(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(StorageError, match=f"holds no {REPLIES_FILE}: name the folder of a run"):
            RecordedModel(tmp_path / name)


TEXTS = st.text(max_size=8)
PARTS = TEXTS | st.sampled_from([tile(1), tile(2)])
TURNS = st.builds(ChatMessage, st.sampled_from(MessageRole), st.lists(PARTS, max_size=3).map(tuple))
SCHEMAS = st.builds(ReplySchema, TEXTS, st.dictionaries(TEXTS, st.integers(), max_size=2))
SAMPLINGS = st.builds(
    Sampling,
    st.sampled_from([0.0, 0.7]),
    st.sampled_from([1.0, 0.9]),
    st.none() | st.integers(),
    st.sampled_from([0, 20]),
    st.sampled_from([0.0, 1.5]),
)
FIELDS = {
    "role": TEXTS,
    "messages": st.lists(TURNS, max_size=3).map(tuple),
    "schema": st.none() | SCHEMAS,
    "sampling": SAMPLINGS,
    "max_tokens": st.integers(1, 9),
}
REQUESTS = st.builds(ChatRequest, **FIELDS)


class TestKeys:
    @given(REQUESTS, REQUESTS)
    def test_request_keys_are_equal_only_for_equal_requests(
        self, one: ChatRequest, other: ChatRequest
    ) -> None:
        assert (request_key(one) == request_key(other)) == (one == other)

    def test_request_key_is_that_of_recordings_without_the_newer_parameters_of_sampling(self) -> None:
        described = {
            "role": "planner",
            "turns": [{"speaker": "user", "parts": ["where to?"]}],
            "schema": None,
            "sampling": {"temperature": 0.7, "top_p": 0.9, "seed": None},
            "max_tokens": 9,
        }
        recorded = hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()
        question = ChatMessage(MessageRole.USER, ("where to?",))

        assert request_key(ChatRequest("planner", (question,), None, Sampling(0.7, 0.9), 9)) == recorded

    @given(REQUESTS, st.sampled_from(sorted(FIELDS)), st.data())
    def test_request_key_depends_on_every_field(
        self, asked: ChatRequest, field: str, data: st.DataObject
    ) -> None:
        value = data.draw(FIELDS[field].filter(lambda value: value != getattr(asked, field)))
        assert request_key(replace(asked, **{field: value})) != request_key(asked)

    @given(REQUESTS, st.floats(0.1, 3600))
    def test_request_key_does_not_depend_on_the_deadline(self, asked: ChatRequest, deadline: float) -> None:
        assert request_key(replace(asked, deadline=deadline)) == request_key(asked)

    def test_request_key_depends_on_the_borders_of_texts(self) -> None:
        assert request_key(request("ab", "c")) != request_key(request("a", "bc"))
        assert request_key(request(tile(1))) != request_key(request(json.dumps({"image": tile(1).key})))

    def test_request_key_is_that_of_existing_recordings(self) -> None:
        """Another way of making keys would make all existing recordings useless."""
        asked = ChatRequest("planner", (SYSTEM, *messages(tile(1), "where to?")), SCHEMA, max_tokens=100)
        assert request_key(asked) == "02a175f7592d080a780ce18af34e91668f52b804beea762c499ef8d1d7caf66d"
