import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { SpeechRequest } from '#core/speech.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox, type Sandbox } from '#platform/sandbox/sandbox.ts'
import { createSpeech } from './speech.ts'

const speech = await createSpeech({ sandbox: createSandbox({ clock }) })
const speaking = test.skipIf(speech.missing !== undefined)
const never = new AbortController().signal
const hello: SpeechRequest = {
  text: 'The tide turns at noon, and the boats go home.',
  language: 'en',
  voice: 'default',
  speed: 175,
  format: 'wav',
}
const speak = (changes: Partial<SpeechRequest> = {}) =>
  speech.speak({ ...hello, ...changes }, { owner: 'one', signal: never })

/** As ffprobe reads it. */
async function probe(audio: Uint8Array) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-speech-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'audio')
  await writeFile(file, audio)
  const shown = 'stream=codec_name:format=duration'
  const args = ['-v', 'error', '-show_entries', shown, '-of', 'json', file]
  const { streams, format } = JSON.parse(
    execFileSync('/usr/bin/ffprobe', args, { encoding: 'utf8' }),
  )
  return { codec: streams[0].codec_name, seconds: Number(format.duration) }
}

speaking('a text becomes a WAV file, or an MP3 file of the same length', async () => {
  const wav = await probe(await speak())
  expect(wav.codec).toBe('pcm_s16le')
  expect(wav.seconds).toBeGreaterThan(1)
  const mp3 = await probe(await speak({ format: 'mp3' }))
  expect(mp3.codec).toBe('mp3')
  expect(Math.abs(mp3.seconds - wav.seconds)).toBeLessThan(0.2)
})

speaking('speed, voice and language change what is heard', async () => {
  const usual = await speak()
  const fast = await speak({ speed: 350 })
  expect(fast.length).toBeLessThan(usual.length * 0.75)
  for (const changed of [{ voice: 'f3' }, { language: 'de' }, { language: 'en-us' }])
    expect(Buffer.compare(Buffer.from(await speak(changed)), Buffer.from(usual))).not.toBe(0)
})

speaking('a language that is not installed is a bad request', async () => {
  await expect(speak({ language: 'zz' })).rejects.toMatchObject({ code: 'bad_request' })
})

speaking('a text that looks like options, markup or another script is spoken', async () => {
  for (const text of ['--help', '-w /tmp/x', '<speak>hello</speak>', '$(reboot)', 'مرحبا 你好 👋'])
    expect((await probe(await speak({ text }))).seconds, text).toBeGreaterThan(0)
})

speaking('the text is in no command line of this machine', async () => {
  const word = 'Kilimanjaro'
  let over = false
  const audio = speak({ text: `${word} `.repeat(200), format: 'mp3' }).finally(() => {
    over = true
  })
  const seen = new Set<string>()
  while (!over) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      seen.add(commandLineOf(pid))
    await delay(5)
  }
  await audio
  const lines = [...seen].filter((line) => line.includes('espeak-ng'))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.filter((line) => line.includes(word))).toEqual([])
})

speaking('a caller who leaves ends the synthesizer', async () => {
  const leaving = new AbortController()
  const spoken = speech.speak(
    { ...hello, text: 'on and on '.repeat(900) },
    {
      owner: 'one',
      signal: leaving.signal,
    },
  )
  leaving.abort(new Error('The caller left.'))
  await expect(spoken).rejects.toThrow('The caller left.')
})

test('one account has one of the two voices, and too many waiting texts of it are refused', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const box = {
    write: async (_name: string, text: string) => begun.push(text),
    run: () => new Promise((_resolve, reject) => ends.push(() => reject(new Error('over')))),
    close: async () => {},
  }
  const sandbox = { missing: async () => undefined, openBox: async () => box }
  const machine = await createSpeech({ sandbox: sandbox as unknown as Sandbox })
  const say = (owner: string, text: string) =>
    machine.speak({ ...hello, text }, { owner, signal: never })
  const endOf = (owner: string, text: string) => say(owner, text).catch(({ message }) => message)
  const texts = Array.from({ length: 21 }, (_, at) => endOf('one', `one ${at}`))
  await expect(say('one', 'too much')).rejects.toMatchObject({
    code: 'too_many_inflight',
    status: 429,
    message: expect.stringContaining('Your account has 20 texts waiting'),
  })
  const others = [endOf('another', 'another'), endOf('third', 'third')]
  await expect.poll(() => ends.length).toBe(2)
  expect(begun).toEqual(['one 0', 'another'])
  ends[0]?.()
  expect(await texts[0]).toBe('over')
  await expect.poll(() => ends.length).toBe(3)
  expect(begun[2]).toBe('one 1')
  ends[1]?.()
  await expect.poll(() => ends.length).toBe(4)
  expect(begun[3]).toBe('third')
  for (let end = 2; end < 23; end += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(end)
    ends[end]?.()
  }
  expect(new Set(await Promise.all([...texts, ...others]))).toEqual(new Set(['over']))
})

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
