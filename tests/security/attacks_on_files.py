"""The attacks on stored files, as the page of threats lists them; each names the test that tries it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.security.cheats import LOCATED, REFUSED, Verdict

STORED, CONFINED = "tests/security/test_stored_files.py", "tests/contract/runner/test_confinement.py"
OTHER_USER, CHILD, SAME_USER, CALLER = (
    "another user of the machine",
    "an isolated process",
    "whoever writes in the folder",
    "whoever gives a reference",
)
NOTICED = "it is found out before anything is read, and a check, which reads every stored file, names it; the same upload takes its place"


@dataclass(frozen=True)
class Attack:
    """What somebody does to stored files, what comes of it, and the test that tries it."""

    name: str
    who: str
    verdict: Verdict
    test: str
    why: str = ""
    place: str = STORED


ATTACKS = [
    Attack(
        "reading, listing, renaming, removing and linking files and folders",
        OTHER_USER,
        REFUSED,
        "test_another_user_reads_lists_and_replaces_nothing",
    ),
    Attack(
        "another folder in the place of the whole, where everybody may write the folder above",
        OTHER_USER,
        LOCATED,
        "test_what_another_user_put_in_the_place_of_the_folder_is_not_taken_for_stored",
        "its files do not have the content of their names; the doctor and a check warn of such a folder before",
    ),
    Attack(
        "reading or listing the folder",
        CHILD,
        REFUSED,
        "test_it_sees_nothing_of_the_database_nor_of_stored_files",
        place=CONFINED,
    ),
    Attack(
        "content, rights and times of a file that it was handed",
        CHILD,
        REFUSED,
        "test_what_it_is_handed_is_a_copy_of_the_stored_file",
        place=CONFINED,
    ),
    Attack(
        "asking for logs, for files that arrive, and for paths",
        CHILD,
        REFUSED,
        "test_the_runner_opens_no_path_for_it_and_no_log_of_another_record",
        place=CONFINED,
    ),
    *(
        Attack(
            name,
            SAME_USER,
            LOCATED,
            "test_a_file_that_is_not_what_was_stored_is_noticed_before_it_is_read_and_by_a_check",
            NOTICED,
        )
        for name in (
            "a file rewritten",
            "a file truncated",
            "a file emptied",
            "a file replaced",
            "a link in the place of a file",
            "a hard link in the place of a file",
            "a pipe in the place of a file",
            "a link in the place of a folder",
        )
    ),
    Attack(
        "a forged file of the same size, before the right one is uploaded",
        SAME_USER,
        REFUSED,
        "test_the_same_file_uploaded_again_takes_the_place_of_what_was_put_there",
        "what is there already is read before it is taken for the same",
    ),
    Attack(
        "uploads, logs and clearing up led elsewhere by a folder that is a link",
        SAME_USER,
        REFUSED,
        "test_nothing_is_written_listed_or_removed_through_a_folder_that_is_a_link",
    ),
    Attack(
        "a link in the place of a log",
        SAME_USER,
        LOCATED,
        "test_a_log_that_is_a_link_is_not_followed_and_is_replaced",
        "it is not followed, and a check names it; the text of a log is under no hash",
    ),
    Attack(
        "paths, logs and other names as references",
        CALLER,
        REFUSED,
        "test_a_reference_leads_to_stored_files_only",
    ),
    Attack(
        "rights loosened by hand",
        SAME_USER,
        LOCATED,
        "test_rights_that_somebody_loosened_are_named_by_the_doctor_and_by_a_check",
        "`interlock doctor` and a check name the first of such files",
    ),
    Attack(
        "half-written uploads and logs left by killed processes",
        SAME_USER,
        LOCATED,
        "test_what_killed_uploads_and_logs_left_is_noted_and_goes_with_the_next_upload",
        "they are their owner's alone, a check counts them, and the next upload removes them",
    ),
]
