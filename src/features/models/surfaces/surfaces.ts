// The surfaces of models that are not conversations, each as one function.
import { fail } from '#core/errors.ts'
import { readSpeechRequest } from '../audio/speech-request.ts'
import { readTranscriptionRequest } from '../audio/transcription-request.ts'
import { readEmbeddingsRequest } from '../embeddings/request.ts'
import { readEditsRequest, readImagesRequest } from '../images/request.ts'
import { readModerationRequest } from '../moderations/request.ts'
import { readRerankRequest } from '../rerank/request.ts'
import { holdCall, type SurfaceDependencies } from './held-call.ts'
import type { StreamedRequest, SurfaceCall, SurfaceReply, WholeRequest } from './request.ts'
import { answerStreamed } from './streamed-answer.ts'
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
  async function run(work: () => Promise<SurfaceReply>) {
    if (underWay >= callsAtOnceMax) throw fail('unavailable', { retryAfterSeconds: 1 })
    underWay += 1
    try {
      return await work()
    } finally {
      underWay -= 1
    }
  }
  const answer = (request: WholeRequest | StreamedRequest, call: SurfaceCall) =>
    holdCall(dependencies, request, call, (held) =>
      'openReader' in request
        ? answerStreamed(dependencies, held, request)
        : answerWhole(dependencies, held, request),
    )

  return {
    embeddings: (body, call) => run(() => answer(readEmbeddingsRequest(body), call)),
    images: (body, call) => run(() => answer(readImagesRequest(body), call)),
    imageEdits: (body, call) => run(() => answer(readEditsRequest(body), call)),
    transcriptions: (body, call) => run(() => answer(readTranscriptionRequest(body), call)),
    moderations: (body, call) => run(() => answer(readModerationRequest(body), call)),
    rerank: (body, call) => run(() => answer(readRerankRequest(body), call)),
    speech: (body, call) => run(() => answer(readSpeechRequest(body), call)),
  }
}
