// Has a model make its outputs, and keeps them as files of the caller where that is asked for or needed.
import type { JobContext } from '#core/action.ts'
import { toCallError } from '#core/errors.ts'
import type { CallerFiles } from '#core/files.ts'
import type { MediaModel } from '#core/media-model.ts'
import type { Speech, SpeechRequest } from '#core/speech.ts'
import { type MediaOutput, outputsOf } from './outputs.ts'
import { withAddresses } from './own-files.ts'
import type { MediaRequest } from './request.ts'
import { runModel } from './run-model.ts'

/** Opens the address of an output through the egress guard, with a limit on its bytes. */
export type OpenOutput = (
  url: string,
  signal: AbortSignal,
) => Promise<{ readonly mediaType: string; readonly content: AsyncIterable<Uint8Array> }>

export interface MediaMachine {
  readonly speech: Speech
  readonly openOutput: OpenOutput
}

export interface StoredOutput extends MediaOutput {
  /** The file that holds it, once it is kept. */
  readonly file_id?: string
  /** The vendor's own address of a kept output. */
  readonly vendor_url?: string
  /** Why it is not kept. */
  readonly store_error?: 'file_quota_exceeded'
}

const speechTypes = { mp3: 'audio/mpeg', wav: 'audio/wav' } as const

export async function makeOutputs(
  context: JobContext<MediaRequest>,
  model: MediaModel,
  machine: MediaMachine,
): Promise<readonly StoredOutput[]> {
  const { input, files, signal } = context
  if (model.provider === 'embedded') return [await speak(context, machine.speech)]
  const parameters = () => withAddresses(model, input.parameters, files)
  const outputs = outputsOf(await runModel(context, model, parameters), model.type)
  if (!input.store) return outputs
  const kept: StoredOutput[] = []
  try {
    for (const [at, output] of outputs.entries())
      kept.push(await keep(output, `output-${at + 1}`, { files, signal, open: machine.openOutput }))
  } catch (thrown) {
    // A call that fails is free, so it leaves no output.
    for (const { file_id } of kept) if (file_id !== undefined) await files.discard(file_id)
    throw thrown
  }
  return kept
}

/** This machine has no address for what it made, so speech is always a file of the caller. */
async function speak(
  { input, files, caller, signal }: JobContext<MediaRequest>,
  speech: Speech,
): Promise<StoredOutput> {
  const request = input.parameters as unknown as SpeechRequest
  const content = await speech.speak(request, { owner: caller.accountId, signal })
  const media_type = speechTypes[request.format]
  const { fileId } = await files.save({
    name: 'speech',
    filename: `speech.${request.format}`,
    mediaType: media_type,
    content,
  })
  return { url: await files.address(fileId), kind: 'audio', media_type, file_id: fileId }
}

async function keep(
  output: MediaOutput,
  name: string,
  { files, signal, open }: { files: CallerFiles; signal: AbortSignal; open: OpenOutput },
): Promise<StoredOutput> {
  const { mediaType, content } = await open(output.url, signal)
  const extension = /\.[a-z0-9]{2,5}$/i.exec(new URL(output.url).pathname)?.[0] ?? ''
  const file = { name, filename: `${name}${extension}`, mediaType, content }
  const stored = await files.save(file).catch((thrown) => {
    // The vendor has been paid, and its address works: the output is delivered, although it is not kept.
    if (toCallError(thrown).code === 'file_quota_exceeded') return undefined
    throw thrown
  })
  if (stored === undefined) return { ...output, store_error: 'file_quota_exceeded' }
  return {
    ...output,
    url: await files.address(stored.fileId),
    media_type: stored.mediaType,
    file_id: stored.fileId,
    vendor_url: output.url,
  }
}
