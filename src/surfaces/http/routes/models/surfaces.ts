// The surfaces of models that are not conversations, in the common formats.
import type { FastifyInstance } from 'fastify'
import type { SurfaceCall, SurfaceReply } from '#features/models/surfaces/request.ts'
import type { ModelSurfaces } from '#features/models/surfaces/surfaces.ts'
import { addRoute } from '../../../doors/add-route.ts'
import { defineRoute } from '../../../doors/route.ts'
import { anyObject, integer, list, object, objectWith, text } from '../../../doors/shapes.ts'
import { answerCall, surfaceConfig } from './answering.ts'
import { formBytesMax, takeForms, weighForm } from './forms.ts'

/** This is enough for 300,000 tokens as text or as numbers. */
const embeddingsBytesMax = 20_000_000
/** Moderated messages may hold pictures. */
const jsonBytesMax = 10_000_000

const errors = ['bad_request', 'not_found', 'insufficient_balance', 'upstream_error'] as const
const model = { type: 'string', description: 'A model of GET /api/llm/v1/models.' }
const ceiling = { type: 'integer', description: 'The most that this call may cost.' }
const cost = { type: 'number', description: 'What was charged, in dollars.' }

const createEmbeddings = defineRoute({
  method: 'post',
  path: '/api/llm/v1/embeddings',
  who: 'account',
  summary: 'Turn texts into vectors, in the common format.',
  body: {
    type: 'object',
    required: ['model', 'input'],
    properties: {
      model,
      input: {
        description: 'A text, tokens, or a list of up to 2048 of either.',
        type: ['string', 'array'],
        items: { type: ['string', 'integer', 'array'] },
      },
      dimensions: { type: 'integer', minimum: 1 },
      encoding_format: { enum: ['float', 'base64'] },
      max_cost_cents: ceiling,
    },
  },
  once: true,
  answer: object({
    object: { const: 'list' },
    model: text,
    data: list(object({ object: { const: 'embedding' }, index: integer, embedding: {} })),
    usage: object({ prompt_tokens: integer, total_tokens: integer, cost }),
  }),
  errors,
})

const createSpeech = defineRoute({
  method: 'post',
  path: '/api/llm/v1/audio/speech',
  who: 'account',
  summary: 'Speak a text: bytes of sound, sent as they arrive.',
  body: {
    type: 'object',
    required: ['model', 'input', 'voice'],
    properties: {
      model,
      input: { type: 'string', maxLength: 4_096 },
      voice: { description: 'A voice of the model, or an object with its id.' },
      instructions: { type: 'string', maxLength: 4_096 },
      response_format: { enum: ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] },
      speed: { type: 'number', minimum: 0.25, maximum: 4 },
      stream_format: { enum: ['audio', 'sse'] },
      max_cost_cents: ceiling,
    },
  },
  once: true,
  type: 'audio/mpeg',
  errors,
})

const pictureFields = {
  model,
  prompt: { type: 'string', maxLength: 32_000 },
  n: { type: 'integer', minimum: 1, maximum: 10 },
  size: { type: 'string', description: 'As in the prices of the model, or auto.' },
  quality: { type: 'string', description: 'As in the prices of the model, or auto.' },
  background: { enum: ['transparent', 'opaque', 'auto'] },
  output_format: { enum: ['png', 'jpeg', 'webp'] },
  output_compression: { type: 'integer', minimum: 0, maximum: 100 },
  response_format: { enum: ['url', 'b64_json'] },
  stream: { type: 'boolean', description: 'One picture as events, each with a type.' },
  partial_images: { type: 'integer', minimum: 0, maximum: 3 },
  max_cost_cents: ceiling,
}
const pictures = objectWith(
  { data: list(anyObject), usage: objectWith({ cost }, {}) },
  { created: integer, size: text, quality: text },
)

const createImages = defineRoute({
  method: 'post',
  path: '/api/llm/v1/images/generations',
  who: 'account',
  summary: 'Draw pictures from a description.',
  body: { type: 'object', required: ['model', 'prompt'], properties: pictureFields },
  once: true,
  answer: pictures,
  errors: [...errors, 'content_policy_violation'],
})

const editImages = defineRoute({
  method: 'post',
  path: '/api/llm/v1/images/edits',
  who: 'account',
  summary: 'Draw pictures from pictures and a description: JSON, or a form.',
  body: {
    type: 'object',
    required: ['model', 'prompt'],
    properties: {
      ...pictureFields,
      images: {
        ...list(object({ image_url: { type: 'string', description: 'A data: address.' } })),
        description: 'In JSON. In a form, image has one file or several.',
      },
      image: { type: 'string', format: 'binary' },
      mask: { description: 'As an element of images, or a file.' },
    },
  },
  parts: 'also',
  once: true,
  answer: pictures,
  errors: [...errors, 'content_policy_violation', 'payload_too_large'],
})

const createTranscription = defineRoute({
  method: 'post',
  path: '/api/llm/v1/audio/transcriptions',
  who: 'account',
  summary: 'Write down what is said in a file of sound: a form.',
  body: {
    type: 'object',
    required: ['model', 'file'],
    properties: {
      model,
      file: { type: 'string', format: 'binary', description: 'Up to 25 megabytes of sound.' },
      language: text,
      prompt: text,
      response_format: { enum: ['json', 'text', 'srt', 'verbose_json', 'vtt'] },
      temperature: { type: 'number', minimum: 0, maximum: 1 },
      stream: { type: 'boolean', description: 'The text as events, each with a type.' },
      'timestamp_granularities[]': list({ enum: ['word', 'segment'] }),
      max_cost_cents: ceiling,
    },
  },
  parts: 'only',
  once: true,
  answer: objectWith({ text, usage: objectWith({ cost }, {}) }, {}),
  errors: [...errors, 'payload_too_large'],
})

const createModeration = defineRoute({
  method: 'post',
  path: '/api/llm/v1/moderations',
  who: 'account',
  summary: 'Ask whether texts and pictures break rules.',
  body: {
    type: 'object',
    required: ['input'],
    properties: {
      model: { ...model, default: 'openai/omni-moderation-latest' },
      input: { description: 'A text, texts, or parts of type text and image_url.' },
      max_cost_cents: ceiling,
    },
  },
  once: true,
  answer: object({ model: text, results: list(anyObject) }),
  errors,
})

const createRanking = defineRoute({
  method: 'post',
  path: '/api/llm/v1/rerank',
  who: 'account',
  summary: 'Rank documents by how well they answer a query.',
  body: {
    type: 'object',
    required: ['model', 'query', 'documents'],
    properties: {
      model,
      query: { type: 'string', maxLength: 20_000 },
      documents: { ...list({ type: ['string', 'object'] }), minItems: 1, maxItems: 1_000 },
      top_n: { type: 'integer', minimum: 1 },
      return_documents: { type: 'boolean' },
      max_tokens_per_doc: { type: 'integer', minimum: 1 },
      max_cost_cents: ceiling,
    },
  },
  once: true,
  answer: object({
    model: text,
    results: list(
      objectWith({ index: integer, relevance_score: { type: 'number' } }, { document: anyObject }),
    ),
    usage: objectWith({ cost }, { total_tokens: integer, search_units: integer }),
  }),
  errors,
})

export const surfaceRoutes = [
  createModeration,
  createRanking,
  createEmbeddings,
  createImages,
  editImages,
  createSpeech,
  createTranscription,
]

type JsonRoute =
  | typeof createEmbeddings
  | typeof createImages
  | typeof createSpeech
  | typeof createModeration
  | typeof createRanking

export function addModelRoutes(
  server: FastifyInstance,
  { surfaces }: { readonly surfaces: ModelSurfaces },
): void {
  const add = (
    route: JsonRoute,
    run: (body: unknown, call: SurfaceCall) => Promise<SurfaceReply>,
    bodyLimit = jsonBytesMax,
  ) =>
    addRoute(
      server,
      route,
      ({ request, caller }, reply) =>
        answerCall(request, reply, caller, (call) => run(request.body, call)),
      { bodyLimit, config: surfaceConfig },
    )
  add(createEmbeddings, surfaces.embeddings, embeddingsBytesMax)
  add(createImages, surfaces.images)
  add(createSpeech, surfaces.speech)
  add(createModeration, surfaces.moderations)
  add(createRanking, surfaces.rerank)
  server.register(async (door) => addFormRoutes(door, surfaces))
}

/** In a part of the server of their own, which reads forms. */
function addFormRoutes(door: FastifyInstance, surfaces: ModelSurfaces): void {
  takeForms(door)
  const options = { bodyLimit: formBytesMax, config: surfaceConfig }
  addRoute(
    door,
    editImages,
    async ({ request, caller }, reply) => {
      await weighForm(request, reply)
      return await answerCall(request, reply, caller, (call) =>
        surfaces.imageEdits(request.body, call),
      )
    },
    options,
  )
  addRoute(
    door,
    createTranscription,
    async ({ request, caller }, reply) => {
      await weighForm(request, reply)
      return await answerCall(request, reply, caller, (call) =>
        surfaces.transcriptions(request.body, call),
      )
    },
    options,
  )
}
