import { type Action, defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { normalizeUrl } from '#core/web-address.ts'
import { refusalOf } from '#platform/egress/admit-address.ts'
import { FetchFailure } from '#platform/egress/failure.ts'
import type { StreamingFetcher } from '#platform/egress/fetcher.ts'
import { type EgressGuard, EgressRefusal } from '#platform/egress/guard.ts'
import { createFairPlaces, tooManyWaiting } from '#platform/threads/fair-places.ts'
import type { FileAddresses } from '../addresses.ts'
import { type FileStore, fileBytesMax } from '../file-store.ts'
import { filename, getUrl, note, record, tags, toLinkedRecord } from './fields.ts'

const fetchTimeoutMs = 150_000
const charactersShown = 300
const nameless = 'file'
/** Fewer for an account than the connections that the gateway opens to one host, so that a slow host serves others. */
const fetchesAtOnce = { places: 64, placesPerOwner: 6, waitingPerOwnerMax: 50 }

export function createUploadFromUrl({
  store,
  addresses,
  guard,
  fetcher,
}: {
  store: Pick<FileStore, 'add'>
  addresses: FileAddresses
  guard: EgressGuard
  fetcher: Pick<StreamingFetcher, 'stream'>
}): Action {
  const places = createFairPlaces({
    ...fetchesAtOnce,
    refusal: () =>
      tooManyWaiting('files waiting to be fetched', {
        waitingMax: fetchesAtOnce.waitingPerOwnerMax,
        done: 'answered',
      }),
  })
  return defineAction('upload_from_url', {
    summary: 'Store the file at a public web address.',
    notes:
      'The gateway fetches the address once, up to 100 MB, and keeps the bytes as they are. A file that cannot be fetched is free. For a file of your own use files/upload; for the text of a page or document use onescrape or read-document.',
    synonyms: [
      'save from url',
      'import file',
      'fetch and store',
      'copy remote file',
      'mirror a file',
      'sideload',
    ],
    questions: [
      'can you download this file and keep it?',
      'store the picture at this address',
      'how do I import a file from the web?',
    ],
    errors: ['bad_url', 'file_quota_exceeded', 'payload_too_large', 'document_unavailable'],
    input: z.strictObject({
      url: z.string().describe('The address of the file.'),
      filename: filename.optional().describe('Default: the last part of the address.'),
      tags,
      note,
    }),
    output: z.object({ ...record.shape, get_url: getUrl }),
    check: ({ url }) => void admit(url, guard),
    price: { cents: 1 },
    example: { input: { url: 'https://example.com/report.pdf' }, cents: 1 },
    timeoutMs: fetchTimeoutMs + 30_000,
    makes: ['file'],
    async run({ input, caller, signal, effect }) {
      const { url, filename, tags, note } = input
      const admitted = admit(url, guard)
      const file = await places.take({ owner: caller.accountId, signal }, async () => {
        const reply = await fetchFile(admitted, fetcher, signal)
        const arrival = {
          filename: filename ?? nameIn(reply.url),
          tags,
          note,
          source: 'url',
          mediaType: reply.headers['content-type'] ?? '',
          content: explained(reply.body, url),
        } as const
        return await store.add(caller, arrival, effect)
      })
      return await toLinkedRecord(file, { addresses, caller })
    },
  })
}

/** The normalised address. Throws `bad_url`. */
function admit(input: string, guard: EgressGuard): string {
  const url = normalizeUrl(input)
  try {
    guard.admit(new URL(url))
  } catch (thrown) {
    throw refusalOf(input, thrown)
  }
  return url
}

async function fetchFile(
  url: string,
  fetcher: Pick<StreamingFetcher, 'stream'>,
  signal: AbortSignal,
) {
  const reply = await fetcher
    .stream({
      url,
      signal,
      bytesMax: fileBytesMax,
      timeoutMs: fetchTimeoutMs,
      headers: { accept: '*/*' },
    })
    .catch((thrown) => {
      throw failureOf(thrown, url)
    })
  if (reply.status === 200) return reply
  for await (const _ of reply.body) break
  throw fail('document_unavailable', {
    message: `${url.slice(0, charactersShown)} answered with status ${reply.status}. Check the address; nothing was charged.`,
  })
}

/** The same bytes. What breaks them becomes a CallError. */
async function* explained(bytes: AsyncIterable<Uint8Array>, url: string) {
  try {
    yield* bytes
  } catch (thrown) {
    throw failureOf(thrown, url)
  }
}

function failureOf(thrown: unknown, url: string): unknown {
  const shown = url.slice(0, charactersShown)
  if (thrown instanceof FetchFailure && thrown.reason === 'too_large')
    return fail('payload_too_large', {
      message: `The file at ${shown} is larger than ${fileBytesMax} bytes. Nothing was charged.`,
      cause: thrown,
    })
  if (thrown instanceof FetchFailure || thrown instanceof EgressRefusal)
    return fail('document_unavailable', {
      message: `${shown} could not be fetched: ${thrown.message} Nothing was charged.`,
      cause: thrown,
    })
  return thrown
}

/** The last part of the address, as far as it is a file's name. */
function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  const { data } = filename.safeParse(decoded(last))
  return data ?? nameless
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
