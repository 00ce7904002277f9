"""PgQueuer whose handlers write two columns of the record with its status: copied into the peers' kit, and run from there."""

import asyncio
import sys

import asyncpg
import common
import uvloop
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver, AsyncpgPoolDriver
from pgqueuer.queries import Queries

COLUMNS = "ALTER TABLE record ADD COLUMN rows_read int, ADD COLUMN log_ref text, ADD COLUMN rows_kept int, ADD COLUMN title text"
DONE = """
WITH moved AS (
    UPDATE record SET status = $3::text, version = version + 1, updated_at = now(), {number} = $4::int, {words} = $5::text
    WHERE id = $1::bigint AND status = $2::text RETURNING id)
INSERT INTO audit(record_id, from_state, to_state) SELECT id, $2::text, $3::text FROM moved
"""
PARSED, NORMALIZED = (
    DONE.format(number="rows_read", words="log_ref"),
    DONE.format(number="rows_kept", words="title"),
)
options = common.arguments(records=7000, processes=1, batch=20)


async def work() -> None:
    queue_pool = await asyncpg.create_pool(common.database_url(), min_size=4, max_size=10)
    pool = await asyncpg.create_pool(common.database_url(), min_size=10, max_size=10)
    queuer = PgQueuer(AsyncpgPoolDriver(queue_pool))

    async def write(record_id: int, moves: tuple, done: str, number: int, words: str) -> None:
        await pool.execute(common.MOVE_ASYNCPG, record_id, *moves[0])
        await pool.execute(done, record_id, *moves[1], number, words)

    @queuer.entrypoint("parse")
    async def parse(job) -> None:
        record_id = int(job.payload)
        await write(record_id, common.PARSE, PARSED, record_id % 1000, f"/logs/{record_id}/parse.json")
        await queuer.qm.queries.enqueue(["normalize"], [job.payload], [0])

    @queuer.entrypoint("normalize")
    async def normalize(job) -> None:
        record_id = int(job.payload)
        await write(record_id, common.NORMALIZE, NORMALIZED, record_id % 900, f"statement of {record_id}")

    await queuer.run(batch_size=options.batch, max_concurrent_tasks=2 * options.batch)


async def enqueue() -> None:
    connection = await asyncpg.connect(common.database_url())
    queries = Queries(AsyncpgDriver(connection))
    await queries.install()
    for first in range(1, options.records + 1, 1000):
        batch = range(first, min(first + 1000, options.records + 1))
        await queries.enqueue(
            ["parse"] * len(batch), [str(record_id).encode() for record_id in batch], [0] * len(batch)
        )
    await connection.close()


def main() -> None:
    common.queued_records(options.records)
    with common.connect() as connection:
        connection.execute(COLUMNS)
    asyncio.run(enqueue())
    with common.connect() as connection:
        common.settle(connection)
    common.drain(
        options,
        [[sys.executable, "-m", "peers.pgqueuer_facts", *sys.argv[1:], "--worker"]] * options.processes,
    )


if __name__ == "__main__":
    uvloop.run(work()) if options.worker else main()
