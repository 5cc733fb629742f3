// The surfaces of models that are not conversations, each as one function.
import { fail } from '#core/errors.ts'
import { answerSpeech } from '../audio/speech-call.ts'
import { readSpeechRequest } from '../audio/speech-request.ts'
import { readTranscriptionRequest } from '../audio/transcription-request.ts'
import { readEmbeddingsRequest } from '../embeddings/request.ts'
import { readEditsRequest, readImagesRequest } from '../images/request.ts'
import { readModerationRequest } from '../moderations/request.ts'
import { readRerankRequest } from '../rerank/request.ts'
import { holdCall, type SurfaceDependencies } from './held-call.ts'
import type { SurfaceCall, SurfaceReply, WholeRequest } from './request.ts'
import { answerWhole } from './whole-answer.ts'

/** Calls of all accounts at once in this process. Each holds its request, its answer and a connection. */
const callsAtOnceMax = 500

/** Each throws a CallError if there is no answer. Nothing is charged then. */
export interface ModelSurfaces {
  embeddings(body: unknown, call: SurfaceCall): Promise<SurfaceReply>
  speech(body: unknown, call: SurfaceCall): Promise<SurfaceReply>
  images(body: unknown, call: SurfaceCall): Promise<SurfaceReply>
  /** `body` is JSON or a form. */
  imageEdits(body: unknown, call: SurfaceCall): Promise<SurfaceReply>
  transcriptions(body: unknown, call: SurfaceCall): Promise<SurfaceReply>
  moderations(body: unknown, call: SurfaceCall): Promise<SurfaceReply>
  rerank(body: unknown, call: SurfaceCall): Promise<SurfaceReply>
}

export function createModelSurfaces(dependencies: SurfaceDependencies): ModelSurfaces {
  let underWay = 0

  /** A refusal of the request is a rejection, too. */
  async function run(answer: () => Promise<SurfaceReply>) {
    if (underWay >= callsAtOnceMax) throw fail('unavailable', { retryAfterSeconds: 1 })
    underWay += 1
    try {
      return await answer()
    } finally {
      underWay -= 1
    }
  }
  const whole = (request: WholeRequest, call: SurfaceCall) =>
    holdCall(dependencies, request, call, (held) => answerWhole(dependencies, held, request))

  return {
    embeddings: (body, call) => run(() => whole(readEmbeddingsRequest(body), call)),
    images: (body, call) => run(() => whole(readImagesRequest(body), call)),
    imageEdits: (body, call) => run(() => whole(readEditsRequest(body), call)),
    transcriptions: (body, call) => run(() => whole(readTranscriptionRequest(body), call)),
    moderations: (body, call) => run(() => whole(readModerationRequest(body), call)),
    rerank: (body, call) => run(() => whole(readRerankRequest(body), call)),
    speech: (body, call) =>
      run(() => {
        const request = readSpeechRequest(body)
        return holdCall(dependencies, request, call, (held) =>
          answerSpeech(dependencies, held, request),
        )
      }),
  }
}
