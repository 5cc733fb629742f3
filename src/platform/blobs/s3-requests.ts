// Requests to a store that speaks the S3 protocol, signed with version 4.
import type { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher, request } from 'undici'
import { fail } from '#core/errors.ts'
import type { Clock } from '#core/ports.ts'

export interface S3Settings {
  /** Without a path: `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** The name of the object. */
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
  /** Opens the body anew for each attempt. */
  readonly body?: () => Readable
}

export interface S3Requests {
  /** Resolves to a reply with a status below 300, or 404 or 412. Throws `unavailable` for any other. */
  send(request: S3Request): Promise<Dispatcher.ResponseData>
  /**
   * The address of a request that its bearer may send until it expires. Signed headers must be sent as they are here.
   */
  presign(
    request: Pick<S3Request, 'method' | 'name' | 'headers'> & {
      readonly query?: Readonly<Record<string, string>>
    },
    expiresInMs: number,
  ): Promise<string>
  close(): Promise<void>
}

const attemptsMax = 3
const retryDelayMs = 200
const headersTimeoutMs = 60_000

export function createS3Requests(settings: S3Settings, { clock }: { clock: Clock }): S3Requests {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = settings
  const agent = new Agent({ headersTimeout: headersTimeoutMs })
  const keys = { service: 's3', region, accessKeyId, secretAccessKey, cache: new Map() }
  const addressOf = (name: string) => new URL(`/${bucket}/${name}`, endpoint)
  const now = () => new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, '')

  async function attempt({ method, name, headers = {}, body }: S3Request) {
    const url = addressOf(name).href
    // The body is not part of the signature. It travels over TLS, and its length is checked.
    const signer = new AwsV4Signer({ ...keys, url, method, headers, datetime: now() })
    const signed = await signer.sign()
    return await request(url, {
      method,
      headers: Object.fromEntries(signed.headers),
      dispatcher: agent,
      body: body?.() ?? null,
    })
  }

  return {
    async send(ask) {
      for (let attempts = 1; ; attempts += 1) {
        const reply = await attempt(ask).catch((cause: unknown) => ({ cause }))
        if (!('cause' in reply) && isAnswer(reply.statusCode)) return reply
        const cause = 'cause' in reply ? reply.cause : await complaintOf(reply)
        const isLast = attempts === attemptsMax || ('statusCode' in reply && reply.statusCode < 500)
        const isRefused = 'statusCode' in reply && refusals.includes(reply.statusCode)
        if (isLast) throw fail('unavailable', { message: isRefused ? refused : away, cause })
        await clock.sleep(retryDelayMs * attempts)
      }
    },
    async presign({ method, name, headers = {}, query = {} }, expiresInMs) {
      const address = addressOf(name)
      const expires = String(Math.floor(expiresInMs / 1_000))
      address.search = new URLSearchParams({ ...query, 'X-Amz-Expires': expires }).toString()
      const signer = new AwsV4Signer({
        ...keys,
        url: address.href,
        method,
        headers,
        datetime: now(),
        signQuery: true,
        allHeaders: true,
      })
      const { url } = await signer.sign()
      // Not every store reads a plus as a space, and the signature is of a space.
      url.search = url.search.replaceAll('+', '%20')
      return url.href
    },
    close: () => agent.close(),
  }
}

const away = 'The store of files does not answer. Nothing was charged; try again shortly.'
const refused =
  'The store of files refuses the key of this gateway. Nothing was charged. Trying again does not help: the operator must set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a key that may use the bucket.'
const refusals: readonly number[] = [401, 403]
const isAnswer = (status: number) => status < 300 || status === 404 || status === 412
const charactersKept = 500

/** The store's own words, for the log. */
async function complaintOf({ statusCode, body }: Dispatcher.ResponseData): Promise<Error> {
  const text = await body.text().catch(() => '')
  return new Error(`The store answered ${statusCode}: ${text.slice(0, charactersKept)}`)
}
