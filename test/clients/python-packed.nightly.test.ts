// The wheel of the Python client: it installs and works in an empty environment, and its types say what the catalog
// says.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { shareGatewayOfWorker } from '#test/harness.ts'
import { findPython, pythonFolder } from './python.ts'

const shared = shareGatewayOfWorker()

const run = promisify(execFile)
const python = await findPython()

const right = `
import sys
from tollway_client import AsyncTollway, Tollway, TollwayError

def work(url: str, key: str) -> str:
    with Tollway(url, key) as tollway:
        file = tollway.upload(b"a", "a.txt")
        listed = tollway.run("files/list", {"limit": 1}, max_cost_cents=1)
        name: str = listed.data["files"][0]["filename"]
        balance: int = tollway.request("GET /api/v1/account")["balance_cents"]
        spent = [row["charged_usd"] for row in tollway.rows("GET /api/v1/transactions", query={"type": "call"})]
        return " ".join([file["status"], name, str(balance), *spent])

async def work_later(tollway: AsyncTollway) -> int:
    job = await tollway.start("tollway/batch", {"calls": []}, max_cost_cents=1)
    answer = await job.result()
    return answer.data["failed_count"]

if __name__ == "__main__":
    print(work(sys.argv[1], sys.argv[2]))
`
const wrong = `
from tollway_client import Tollway

tollway = Tollway("http://127.0.0.1:4020")
tollway.run("files/lst", {})
tollway.run("files/list", {"limit": "many"})
tollway.start("tollway/batch", {"calls": []})
tollway.request("GET /api/v1/keys/{id}")
`

test.skipIf(python === undefined)(
  'the packed Python client installs and works, and types its calls',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tollway-python-client-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const inFolder = { cwd: folder }
    await import('../../scripts/client/make-types.ts')
    const build = ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', folder]
    await run(python ?? '', build, { cwd: pythonFolder })
    const [wheel = ''] = (await readdir(folder)).filter((name) => name.endsWith('.whl'))

    const venv = ['-m', 'venv', '--system-site-packages', 'venv']
    await run(python ?? '', venv, inFolder)
    await run('venv/bin/pip', ['install', '--no-index', '--no-deps', wheel], inFolder)
    await writeFile(path.join(folder, 'right.py'), right)
    await writeFile(path.join(folder, 'wrong.py'), wrong)
    const gateway = shared()
    const { key } = await gateway.account(10)
    const { stdout } = await run('venv/bin/python', ['right.py', gateway.url, key], inFolder)
    expect(stdout.trim()).toBe('stored a.txt 9 0.000000 0.010000')

    const mypy = ['-m', 'mypy', '--strict', '--no-error-summary', 'right.py', 'wrong.py']
    const checked = await run('venv/bin/python', mypy, inFolder).catch((error) => error)
    const errors = String(checked.stdout).match(/^\w+\.py:\d+: error/gm)
    expect(errors).toEqual([5, 6, 7, 8].map((line) => `wrong.py:${line}: error`))
  },
)
