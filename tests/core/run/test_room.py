import time
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from grader.core.run.measuring import WorkerSlots


def test_whoever_is_alone_is_alone_and_two_of_them_do_not_wait_for_ever() -> None:
    room, lock = WorkerSlots(3), Lock()
    inside, seen = set[int](), list[tuple[bool, int]]()

    def work(number: int) -> None:
        alone = number % 4 == 0
        with room.alone() if alone else room.shared():
            with lock:
                inside.add(number)
                seen.append((alone, len(inside)))
            time.sleep(0.005)
            with lock:
                inside.discard(number)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(40)))
    assert len(seen) == 40
    assert {count for alone, count in seen if alone} == {1}
    assert max(count for alone, count in seen if not alone) <= 3
