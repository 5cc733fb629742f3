import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { SpeechRequest } from '#core/speech.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createSandbox } from '#platform/sandbox/sandbox.ts'
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
  speech.speak({ ...hello, ...changes }, never)

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
  const spoken = speech.speak({ ...hello, text: 'on and on '.repeat(900) }, leaving.signal)
  leaving.abort(new Error('The caller left.'))
  await expect(spoken).rejects.toThrow('The caller left.')
})

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
