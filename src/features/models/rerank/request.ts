// Ranking documents by how well they answer a query, in the form that Cohere and Jina share.
import type { ModelPrice } from '#core/model-price.ts'
import type { SurfaceUsage } from '#core/models/surfaces.ts'
import {
  type ChatFields,
  invalid,
  isObject,
  readBoolean,
  readNumber,
} from '../llm/conversation/fields.ts'
import {
  definedOnly,
  estimateTokens,
  isCount,
  readCommon,
  readCount,
  requireText,
} from '../surfaces/fields.ts'
import {
  finishJson,
  replayJson,
  type SurfaceAnswer,
  type WholeRequest,
} from '../surfaces/request.ts'

const queryCharactersMax = 20_000
const documentsMax = 1_000
const documentCharactersMax = 500_000
const tokensPerDocumentMax = 1_000_000
const answerBytesMax = 5_000_000

/** A search covers so many documents, and a longer document counts as several of them. Source: Cohere's pricing. */
const documentsPerSearch = 100
const tokensPerChunk = 500
const tokensPerDocumentDefault = 4_096

interface Asked {
  readonly query: string
  readonly documents: readonly string[]
  readonly topN: number
  readonly returnsDocuments: boolean
  readonly tokensPerDocument: number
}

/** Throws `bad_request` for the first invalid field; `param` names the field. */
export function readRerankRequest(body: unknown): WholeRequest {
  const { sent, model, maxCostMicros } = readCommon(body)
  const documents = readDocuments(sent.documents)
  const perDocument = readNumber(
    'max_tokens_per_doc',
    sent.max_tokens_per_doc,
    [1, tokensPerDocumentMax],
    true,
  )
  const asked: Asked = {
    query: requireText('query', sent.query, queryCharactersMax),
    documents,
    topN: Math.min(
      readNumber('top_n', sent.top_n, [1, Number.MAX_SAFE_INTEGER], true) ?? documents.length,
      documents.length,
    ),
    returnsDocuments: readBoolean('return_documents', sent.return_documents) ?? false,
    tokensPerDocument: perDocument ?? tokensPerDocumentDefault,
  }
  const fields = definedOnly({
    query: asked.query,
    documents,
    top_n: asked.topN,
    max_tokens_per_doc: perDocument,
  })
  return {
    surface: 'rerank',
    model,
    maxCostMicros,
    meaning: { ...fields, returnsDocuments: asked.returnsDocuments },
    answerBytesMax,
    worst: (price, slug) => {
      if (price.inputs !== undefined && documents.length > price.inputs)
        throw invalid('documents', `${slug} ranks at most ${price.inputs} documents. Send fewer.`)
      return worstOf(asked, price)
    },
    estimate: (price) =>
      price.search === undefined
        ? { promptTokens: estimateTokens(bytesOf(asked)) }
        : { searches: Math.ceil(documents.length / documentsPerSearch) },
    write: ({ upstreamModel }) => ({
      path: '/rerank',
      type: 'application/json',
      body: JSON.stringify({ model: upstreamModel, ...fields }),
    }),
    read: (reply, { price }) => readAnswer(JSON.parse(reply.toString()), asked, price),
    replay: replayJson,
  }
}

function readDocuments(documents: unknown): readonly string[] {
  if (!Array.isArray(documents) || documents.length === 0 || documents.length > documentsMax)
    throw invalid('documents', `documents must be a list of 1 to ${documentsMax} texts.`)
  return documents.map((document, place) => {
    const text: unknown = isObject(document) ? document.text : document
    if (typeof text !== 'string' || text === '' || text.length > documentCharactersMax)
      throw invalid(
        'documents',
        `documents[${place}] must be a text, or an object with a text, of 1 to ${documentCharactersMax} characters.`,
      )
    return text
  })
}

/** The query is read with each document. No tokenizer makes more tokens of a text than it has bytes. */
const bytesOf = ({ query, documents }: Asked) =>
  documents.reduce((sum, text) => sum + Buffer.byteLength(text), 0) +
  documents.length * Buffer.byteLength(query)

function worstOf(asked: Asked, price: ModelPrice): SurfaceUsage {
  if (price.search === undefined) return { promptTokens: bytesOf(asked) }
  const room = Math.max(1, tokensPerChunk - Math.min(Buffer.byteLength(asked.query), 250))
  const chunks = asked.documents.reduce(
    (sum, text) =>
      sum + Math.ceil(Math.min(Buffer.byteLength(text), asked.tokensPerDocument) / room),
    0,
  )
  return { searches: Math.ceil(chunks / documentsPerSearch) }
}

/** Throws if it is not a ranking of what was sent. */
function readAnswer(json: unknown, asked: Asked, price: ModelPrice): SurfaceAnswer {
  if (!isObject(json) || !Array.isArray(json.results)) throw new Error('an answer without results')
  const seen = new Set<number>()
  const results = json.results.map((row: unknown) => {
    const { index, relevance_score: score } = isObject(row) ? row : {}
    const isPlace = Number.isInteger(index) && index >= 0 && index < asked.documents.length
    if (!isPlace || seen.has(index) || typeof score !== 'number')
      throw new Error('a result that names no document')
    seen.add(index)
    return {
      index,
      relevance_score: score,
      ...(asked.returnsDocuments ? { document: { text: asked.documents[index] } } : {}),
    }
  })
  if (results.length > asked.topN) throw new Error('more results than were asked for')
  if (results.length === 0) throw new Error('no results')
  results.sort((one, other) => other.relevance_score - one.relevance_score)
  const usage = readUsage(json, price)
  return {
    usage,
    finish: (charge) =>
      finishJson(
        { id: typeof json.id === 'string' ? json.id : undefined, model: charge.slug, results },
        usage?.searches === undefined
          ? { total_tokens: charge.usage.promptTokens ?? 0 }
          : { search_units: usage.searches },
        charge,
      ),
  }
}

/** Cohere counts searches, Jina tokens. */
function readUsage({ meta, usage }: ChatFields, price: ModelPrice): SurfaceUsage | undefined {
  const billed = isObject(meta) && isObject(meta.billed_units) ? meta.billed_units : {}
  if (price.search !== undefined) {
    const searches = readCount(billed.search_units)
    return searches === undefined ? undefined : { searches: Math.ceil(searches) }
  }
  const told = isObject(usage) ? usage : {}
  const tokens = [told.total_tokens, told.prompt_tokens, billed.input_tokens].find(isCount)
  return tokens === undefined ? undefined : { promptTokens: tokens }
}
