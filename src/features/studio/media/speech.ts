// Speech by espeak-ng, and MP3 by ffmpeg. Both run in a box, where they see nothing but the text, which is never an
// argument.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fail } from '#core/errors.ts'
import type { Speech, SpeechRequest } from '#core/speech.ts'
import type { BoxLimits } from '#platform/sandbox/limits.ts'
import { findProgram, type Sandbox } from '#platform/sandbox/sandbox.ts'
import { createFairPlaces, tooManyWaiting } from '#platform/threads/fair-places.ts'

const limits: BoxLimits = {
  memoryBytes: 1_000_000_000,
  cpuSeconds: 60,
  fileBytes: 100_000_000,
  processes: 16,
  wallMs: 60_000,
}
/** Each takes a core while it runs. */
const voices = { places: 2, placesPerOwner: 1, waitingPerOwnerMax: 20 }
const unknownVoice = /voice does not exist/

export async function createSpeech({ sandbox }: { sandbox: Sandbox }): Promise<Speech> {
  const [espeak, ffmpeg] = await Promise.all([findProgram('espeak-ng'), findProgram('ffmpeg')])
  const missing = await whatIsMissing({ espeak, ffmpeg }, sandbox)
  const places = createFairPlaces({ ...voices, refusal: tooManyTexts })

  async function speak(request: SpeechRequest, signal: AbortSignal): Promise<Uint8Array> {
    const { text, format } = request
    const box = await sandbox.openBox()
    const run = (program: string, args: readonly string[]) =>
      box.run({ program, args, limits, signal })
    const read = (name: string) => readFile(path.join(box.outputFolder, name))
    try {
      const source = await box.write('text.txt', text)
      const spoken = await run(espeak ?? '', [
        ...['-v', voiceOf(request), '-s', String(request.speed), '-b', '1'],
        ...['-f', source, '-w', '/out/speech.wav'],
      ])
      if (unknownVoice.test(spoken.errors)) throw unknownLanguage(request)
      if (spoken.exitCode !== 0) throw failed(spoken)
      if (format === 'wav') return await read('speech.wav')
      const encoded = await run(ffmpeg ?? '', [
        ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-i', '/out/speech.wav'],
        ...['-codec:a', 'libmp3lame', '-b:a', '64k', '/out/speech.mp3'],
      ])
      if (encoded.exitCode !== 0) throw failed(encoded)
      return await read('speech.mp3')
    } finally {
      await box.close()
    }
  }

  return {
    missing,
    speak: (request, asker) => places.take(asker, () => speak(request, asker.signal)),
  }
}

async function whatIsMissing(
  programs: Readonly<Record<'espeak' | 'ffmpeg', string | undefined>>,
  sandbox: Sandbox,
): Promise<string | undefined> {
  const packages = [
    ...(programs.espeak === undefined ? ['espeak-ng'] : []),
    ...(programs.ffmpeg === undefined ? ['ffmpeg'] : []),
  ]
  if (packages.length > 0)
    return `Install ${packages.join(' and ')} and restart, so that this machine can speak.`
  return await sandbox.missing()
}

const tooManyTexts = () =>
  tooManyWaiting('texts waiting for the voice of this machine', {
    waitingMax: voices.waitingPerOwnerMax,
    done: 'spoken',
  })

const voiceOf = ({ language, voice }: SpeechRequest) =>
  voice === 'default' ? language : `${language}+${voice}`

const unknownLanguage = ({ language }: SpeechRequest) =>
  fail('bad_request', {
    message: `espeak-ng has no language "${language}" here. Send a code such as en, en-us, de, fr or es.`,
  })

const failed = ({ errors, isLate }: { readonly errors: string; readonly isLate: boolean }) =>
  fail('upstream_error', {
    message: isLate
      ? 'Speaking this text took too long. Nothing was charged; send a shorter text.'
      : 'This text could not be spoken. Nothing was charged.',
    cause: new Error(errors),
  })
