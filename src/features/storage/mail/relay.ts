// Hands mail for other domains to the operator's relay.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import DKIM from 'nodemailer/lib/dkim'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection, { type SMTPError } from 'nodemailer/lib/smtp-connection'
import { fail } from '#core/errors.ts'
import { domainOf } from '#core/mail-address.ts'
import { relayReplyTimeoutMs, relayTimeoutMs } from './limits.ts'

export interface Rejection {
  readonly address: string
  readonly reason: string
}

export interface Relay {
  /**
   * Resolves once the relay has taken the mail, with the recipients that it refused. Throws `bad_request` when it
   * refused all or the mail, and `upstream_error`: with the reason `not_sent` if nothing was sent, without one if that
   * is uncertain.
   */
  send(mail: {
    readonly raw: Buffer
    /** The inbox, to which bounces go. */
    readonly from: string
    readonly to: readonly string[]
  }): Promise<readonly Rejection[]>
}

export interface DkimKey {
  readonly selector: string
  readonly privateKey: string
}

export function createRelay({
  url,
  dkim,
  hostname,
  replyTimeoutMs = relayReplyTimeoutMs,
  timeoutMs = relayTimeoutMs,
}: {
  readonly url: string
  readonly dkim: DkimKey | undefined
  readonly hostname: string
  readonly replyTimeoutMs?: number
  readonly timeoutMs?: number
}): Relay {
  const { auth, ...options } = parseConnectionUrl(url)
  // A password is not sent in clear text, unless the address says `?requireTLS=false`.
  const server = { requireTLS: auth !== undefined, ...options }
  const limits = {
    connectionTimeout: replyTimeoutMs,
    greetingTimeout: replyTimeoutMs,
    socketTimeout: replyTimeoutMs,
  }

  /** Runs one session. `open` settles with its result, or fails with the connection. */
  async function converse<Result>(open: (connection: SMTPConnection) => Promise<Result>) {
    const connection = new SMTPConnection({ ...server, ...limits, name: hostname })
    const broken = Promise.withResolvers<never>()
    connection.on('error', broken.reject)
    broken.promise.catch(() => {})
    const isLate = new Error(`The relay did not take the mail within ${timeoutMs} ms.`)
    const timer = setTimeout(() => broken.reject(isLate), timeoutMs)
    try {
      return await Promise.race([open(connection), broken.promise])
    } finally {
      clearTimeout(timer)
      connection.close()
    }
  }

  return {
    async send({ raw, from, to }) {
      const signed = dkim === undefined ? raw : await sign(raw, domainOf(from), dkim)
      let hasBegun = false
      // The connection reads it once the relay has asked for the mail.
      const mail = new Readable({
        read() {
          hasBegun = true
          this.push(signed)
          this.push(null)
        },
      })
      try {
        return await converse(async (connection) => {
          await new Promise<void>((resolve, reject) =>
            connection.connect((error) => (error ? reject(error) : resolve())),
          )
          if (auth) await promisify(connection.login.bind(connection))(auth)
          const envelope = { from, to: [...to], size: signed.length }
          const sent = await promisify(connection.send.bind(connection))(envelope, mail)
          return (sent?.rejectedErrors ?? []).map(describe)
        })
      } catch (thrown) {
        throw explainFailure(thrown as SMTPError, hasBegun)
      }
    },
  }
}

async function sign(raw: Buffer, domainName: string, { selector, privateKey }: DkimKey) {
  const signer = new DKIM({ domainName, keySelector: selector, privateKey })
  return await buffer(signer.sign(raw))
}

const responseMax = 300

const describe = (error: SMTPError): Rejection => ({
  address: error.recipient ?? '',
  reason: (error.response ?? error.message).slice(0, responseMax),
})

/** Only a reply of the relay, or a failure before the mail was sent, shows that it was not taken. */
function explainFailure(error: SMTPError, hasBegun: boolean) {
  const { responseCode, command } = error
  if (hasBegun && responseCode === undefined) return fail('upstream_error', { cause: error })
  const isAboutMail = /^(?:MAIL FROM|RCPT TO|DATA|API)$/.test(command ?? '')
  if (isAboutMail && responseCode !== undefined && responseCode >= 500) {
    const rejected = (error.rejectedErrors ?? []).map(describe)
    return fail('bad_request', {
      message: `The mail was refused: ${describe(error).reason} Nothing was sent or charged.`,
      ...(rejected.length > 0 && { data: { rejected } }),
      cause: error,
    })
  }
  return fail('upstream_error', {
    message: 'The mail relay does not take mail now. Nothing was sent or charged; try again later.',
    data: { reason: 'not_sent' },
    cause: error,
  })
}
