// The contract of all boxes in which sessions run: those of vendors and those of this machine. A suite passes a world
// with one kind of session; every command of it really runs.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import type { SessionContext, SessionKind, SessionResource } from '#core/session.ts'

export interface BoxWorld {
  readonly kind: SessionKind<unknown>
  readonly context: (sessionId: string) => SessionContext
  /** How many boxes exist. */
  readonly count: () => Promise<number> | number
  readonly close: () => Promise<void> | void
}

interface BoxTraits {
  /** Code of this language finds the variables of earlier code. */
  readonly keepsVariables?: true
  /** The variables of the caller are accepted and not set. */
  readonly ignoresEnvs?: true
  /** A box keeps its files while it is suspended. */
  readonly suspends?: true
}

const timeoutMs = 30_000
const { signal } = new AbortController()

const sh = (box: SessionResource, command: string, limitMs = timeoutMs) =>
  box.run({ command, timeoutMs: limitMs }, signal)
const code = (
  box: SessionResource,
  language: 'python' | 'javascript' | 'bash',
  text: string,
  limitMs = timeoutMs,
) => box.run({ code: text, language, timeoutMs: limitMs }, signal)

export function testBoxes(name: string, traits: BoxTraits, openWorld: () => Promise<BoxWorld>) {
  describe(name, () => {
    const bench = prepareBench(openWorld)
    testCommands(bench, traits)
    testCode(bench, traits)
    testFiles(bench)
    testLimits(bench)
    testLives(bench, traits)
    testEnds(bench)
  })
}

/** The boxes of one suite. They are closed at its end. */
function prepareBench(openWorld: () => Promise<BoxWorld>) {
  let world: BoxWorld
  const opened: SessionResource[] = []
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(async () => {
    await Promise.all(opened.map((box) => box.close()))
    await world.close()
  })
  return {
    count: () => world.count(),
    adopt: (sessionId: string, state: unknown) => world.kind.adopt(world.context(sessionId), state),
    discard: (sessionId: string, state: unknown) =>
      world.kind.discard(world.context(sessionId), state),
    async open(envs?: Record<string, string>) {
      const sessionId = uuidv7(Date.now())
      const input = envs === undefined ? {} : { envs }
      const box = await world.kind.open({ ...world.context(sessionId), input })
      opened.push(box)
      return { box, sessionId }
    },
  }
}

type Bench = ReturnType<typeof prepareBench>

function testCommands({ open }: Bench, traits: BoxTraits) {
  test('a command returns stdout, stderr and its exit code', async () => {
    const { box } = await open()
    expect(await sh(box, 'echo out; echo err >&2; exit 7')).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      exitCode: 7,
      timedOut: false,
    })
    expect(await sh(box, 'true')).toEqual({
      stdout: '',
      stderr: '',
      exitCode: 0,
      timedOut: false,
    })
  })

  test('quotes, line breaks and characters of all languages arrive unchanged', async () => {
    const { box } = await open()
    const text = `it's "$HOME" \\ 漢字 🙂\n\ttab`
    const { stdout } = await sh(box, `cat <<'LIMIT'\n${text}\nLIMIT`)
    expect(stdout).toBe(`${text}\n`)
    expect((await code(box, 'python', `print(${JSON.stringify('ä漢🙂')})`)).stdout).toBe('ä漢🙂\n')
  })

  test('output that is not text is returned as text', async () => {
    const { box } = await open()
    const { stdout, exitCode } = await sh(box, "printf 'a\\000\\377b'")
    expect([stdout, exitCode]).toEqual(['a\0\ufffdb', 0])
  })

  test('files and programs in the background survive a command; variables of the shell do not', async () => {
    const { box } = await open()
    await sh(box, 'echo kept >file; LOST=1; (sleep 60 & echo $! >pid)')
    const { stdout } = await sh(box, 'cat file; echo "[$LOST]"; kill -0 $(cat pid) && echo alive')
    expect(stdout).toBe('kept\n[]\nalive\n')
  })

  test.skipIf(traits.ignoresEnvs)('variables of the caller are set in every command', async () => {
    const { box } = await open({ TEA: `it's "green"`, d: 'x' })
    expect((await sh(box, 'echo "$TEA $d"')).stdout).toBe(`it's "green" x\n`)
    const { stdout } = await code(box, 'python', 'import os; print(os.environ["TEA"])')
    expect(stdout).toBe(`it's "green"\n`)
  })
}

function testCode({ open }: Bench, traits: BoxTraits) {
  test.each([
    ['python', 'import sys; print(6 * 7); sys.stderr.write("e"); sys.exit(3)'],
    [
      'javascript',
      'console.log(6 * 7); process.stderr.write("e"); process.exitCode = 3; process.exit()',
    ],
    ['bash', 'echo $((6 * 7)); printf e >&2; exit 3'],
  ] as const)('code in %s runs', async (language, text) => {
    const { box } = await open()
    const { stdout, stderr, exitCode } = await code(box, language, text)
    expect([stdout, stderr, exitCode]).toEqual(['42\n', 'e', 3])
  })

  test('code that fails says why on stderr', async () => {
    const { box } = await open()
    const python = await code(box, 'python', 'x = 1\nraise ValueError("no tea")')
    expect([python.exitCode, python.stderr]).toEqual([1, expect.stringContaining('no tea')])
    const javascript = await code(box, 'javascript', 'throw new Error("no tea")')
    expect([javascript.exitCode, javascript.stderr]).toEqual([1, expect.stringContaining('no tea')])
  })

  test('code finds the variables of earlier code where the kind keeps them', async () => {
    const { box } = await open()
    await code(box, 'python', 'tea = 41')
    await code(box, 'javascript', 'var tea = 41')
    const python = await code(box, 'python', 'print(tea + 1)')
    const javascript = await code(box, 'javascript', 'console.log(tea + 1)')
    const expected = traits.keepsVariables ? ['42\n', '42\n'] : ['', '']
    expect([python.stdout, javascript.stdout]).toEqual(expected)
  })
}

function testFiles({ open }: Bench) {
  async function* pieces(...contents: readonly Uint8Array[]) {
    yield* contents
  }
  const gather = async (content: AsyncIterable<Uint8Array>) => {
    const parts: Uint8Array[] = []
    for await (const part of content) parts.push(part)
    return Buffer.concat(parts)
  }

  test('files of any bytes and names go in and come out unchanged', async () => {
    const { files, box } = await openWithFiles(open)
    const bytes = Buffer.from(Array.from({ length: 1_024 }, (_, index) => index % 256))
    const name = `new/folder/it's ä "漢" $HOME 🙂`
    await files.write(name, pieces(bytes.subarray(0, 500), bytes.subarray(500)), signal)
    expect(await gather(files.read(name, bytes.length, signal))).toEqual(bytes)
    expect((await sh(box, 'ls new/folder')).stdout).toContain('漢')
    await files.write(name, pieces(Buffer.from('short')), signal)
    expect(String(await gather(files.read(name, 5, signal)))).toBe('short')
    await files.write('empty', pieces(), signal)
    expect(await gather(files.read('empty', 0, signal))).toHaveLength(0)
  })

  test('a file of several parts is whole in the box and outside', async () => {
    const { files, box } = await openWithFiles(open)
    const bytes = randomBytes(2_000_001)
    await files.write('large', pieces(bytes), signal)
    const hash = createHash('sha256').update(bytes).digest('hex')
    expect((await sh(box, 'sha256sum <large')).stdout).toContain(hash)
    expect((await gather(files.read('large', bytes.length, signal))).equals(bytes)).toBe(true)
  })

  test('a file that is replaced stays executable, and one that fails half-way changes nothing', async () => {
    const { files, box } = await openWithFiles(open)
    await sh(box, 'echo "echo old" >run; chmod +x run')
    async function* broken() {
      yield Buffer.alloc(1_200_000)
      throw new Error('The content ended.')
    }
    await expect(files.write('run', broken(), signal)).rejects.toThrow('The content ended.')
    await files.write('new', pieces(Buffer.from('x')), signal)
    expect((await sh(box, './run; ls -A | grep -v tmp')).stdout).toBe('old\nnew\nrun\n')
    await files.write('run', pieces(Buffer.from('echo new')), signal)
    expect((await sh(box, './run')).stdout).toBe('new\n')
  })

  test('what cannot be read or written is refused with its path and the reason', async () => {
    const { files, box } = await openWithFiles(open)
    await sh(box, 'mkdir folder; echo 12345 >file; mkfifo pipe')
    const read = (path: string) => gather(files.read(path, 5, signal))
    for (const path of ['none', 'none/none', 'folder', 'pipe'])
      await expect(read(path), path).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining(path),
      })
    await expect(read('none')).rejects.toThrow('No such file or directory')
    await expect(read('file')).rejects.toThrow('has 6 bytes, more than 5')
    for (const path of ['folder', 'file/below'])
      await expect(files.write(path, pieces(Buffer.from('x')), signal), path).rejects.toMatchObject(
        { code: 'bad_request', message: expect.stringContaining(path) },
      )
  })
}

async function openWithFiles(open: Bench['open']) {
  const { box } = await open()
  if (box.files === undefined) throw new Error('The box takes no files.')
  return { box, files: box.files }
}

function testLimits({ open }: Bench) {
  test('a command that takes too long is ended with its children, and its output is kept', async () => {
    const { box } = await open()
    const slow = await sh(box, 'echo begun; sleep 61 & sleep 62', 1_000)
    expect(slow).toMatchObject({ stdout: 'begun\n', exitCode: null, timedOut: true })
    // A killed process stays listed for a moment.
    const list = 'cat /proc/[0-9]*/cmdline 2>/dev/null | tr "\\0" " "'
    const gone = await sh(box, `while ${list} | grep -q "sleep 6[12]"; do sleep 0.05; done`)
    expect(gone.exitCode).toBe(0)
    const loop = await code(box, 'python', 'while True: pass', 1_000)
    expect(loop).toMatchObject({ exitCode: null, timedOut: true })
    expect((await code(box, 'python', 'print(1)')).stdout).toBe('1\n')
  })

  test('output above the limit is cut, and the caller is told', async () => {
    const { box } = await open()
    const { stdout, stderr, exitCode, truncated } = await sh(
      box,
      'head -c 3000000 /dev/zero | tr "\\0" x; echo small >&2',
    )
    expect(truncated).toBe(true)
    expect(stdout).toMatch(/^x+$/)
    expect(stdout.length).toBeLessThan(3_000_000)
    expect([stderr, exitCode]).toEqual(['small\n', 0])
  })

  test('a long program arrives whole', async () => {
    const { box } = await open()
    const text = `${'# ä tea\n'.repeat(30_000)}print("end")`
    expect((await code(box, 'python', text)).stdout).toBe('end\n')
  })

  test('ten commands at the same time do not mix', async () => {
    const { box } = await open()
    const numbers = Array.from({ length: 10 }, (_, index) => index)
    const results = await Promise.all(
      numbers.map((number) =>
        sh(box, `for i in 1 2 3 4 5; do echo ${number}; echo e${number} >&2; done; exit ${number}`),
      ),
    )
    expect(results.map(({ stdout, stderr, exitCode }) => [stdout, stderr, exitCode])).toEqual(
      numbers.map((number) => [`${number}\n`.repeat(5), `e${number}\n`.repeat(5), number]),
    )
  })

  test('an aborted command rejects with the reason, and the box goes on', async () => {
    const { box } = await open()
    const controller = new AbortController()
    const running = box.run({ command: 'sleep 60', timeoutMs: 60_000 }, controller.signal)
    controller.abort(new Error('no longer wanted'))
    await expect(running).rejects.toThrow('no longer wanted')
    expect((await sh(box, 'echo on')).stdout).toBe('on\n')
  })
}

function testLives({ open, adopt }: Bench, traits: BoxTraits) {
  test('another gateway adopts a box by its state, which is JSON', async () => {
    const { box, sessionId } = await open({ TEA: 'green' })
    await sh(box, 'echo kept >file')
    const state = JSON.parse(JSON.stringify(box.state))
    const adopted = await adopt(sessionId, state)
    expect(adopted?.perSecond).toEqual(box.perSecond)
    const result = await adopted?.run({ command: 'cat file; echo $TEA', timeoutMs }, signal)
    expect(result?.stdout).toBe(traits.ignoresEnvs ? 'kept\n\n' : 'kept\ngreen\n')
  })

  test.runIf(traits.suspends)('a suspended box keeps its files and ends its programs', async () => {
    const { box, sessionId } = await open()
    await sh(box, 'echo kept >file')
    const state = JSON.parse(JSON.stringify(await box.suspend?.()))
    const resumed = await adopt(sessionId, state)
    const result = await resumed?.run({ command: 'cat file', timeoutMs }, signal)
    expect(result?.stdout).toBe('kept\n')
  })
}

function testEnds({ open, adopt, discard, count }: Bench) {
  test('a closed box is gone, closing it again changes nothing, and nothing of it is left', async () => {
    const { box, sessionId } = await open()
    const before = await count()
    await box.close()
    await box.close()
    expect(await count()).toBe(before - 1)
    expect(await adopt(sessionId, box.state)).toBeUndefined()
    await expect(sh(box, 'true')).rejects.toThrow()
    expect(await box.alive()).toBe(false)
  })

  test('a box is discarded with its state, and without when its gateway died while it opened', async () => {
    const { sessionId } = await open()
    const other = await open()
    const before = await count()
    await discard(sessionId, undefined)
    await discard(sessionId, undefined)
    expect(await count()).toBe(before - 1)
    await discard(other.sessionId, other.box.state)
    await discard(other.sessionId, other.box.state)
    expect(await count()).toBe(before - 2)
    await discard(uuidv7(Date.now()), undefined)
  })

  test('a box that ended in the middle of a command fails the command and is not alive', async () => {
    const { box, sessionId } = await open()
    const running = sh(box, 'touch begun; sleep 60')
    const refused = expect(running).rejects.toThrow()
    const begun = await sh(box, 'until [ -e begun ]; do sleep 0.05; done', 10_000)
    expect(begun.exitCode).toBe(0)
    await discard(sessionId, box.state)
    await refused
    expect(await box.alive()).toBe(false)
  })
}
