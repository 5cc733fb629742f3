// A gateway with inboxes, and a mail program that speaks to it.
import { createTransport, type SendMailOptions } from 'nodemailer'
import { afterAll, beforeAll } from 'vitest'
import { type Gateway, type GatewayOptions, startGateway, type TestAccount } from '../harness.ts'
import { silentLog } from '../silent-log.ts'

export const mailDomain = 'agents.example'

export interface MailGateway extends Gateway {
  readonly mailPort: number
  /** Sends mail as another server does. Throws the refusal. */
  deliver(mail: SendMailOptions): Promise<unknown>
}

/** `env` is read when the gateway starts: addresses of servers of the test may be in it. */
export function shareMailGateway(
  options: Omit<GatewayOptions, 'env'> & { env?: () => Record<string, string> } = {},
): () => MailGateway {
  let gateway: MailGateway | undefined
  const endings: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const { env = () => ({}), ...rest } = options
    gateway = await startMailGateway({ ...rest, env: env() }, (work) => endings.unshift(work))
  })
  afterAll(async () => {
    for (const end of endings) await end()
  })
  return () => {
    if (gateway === undefined) throw new Error('The gateway exists only while a test runs.')
    return gateway
  }
}

async function startMailGateway(
  options: GatewayOptions,
  atEnd: (work: () => Promise<void>) => void,
): Promise<MailGateway> {
  let mailPort = 0
  const log = {
    ...silentLog,
    info(fields: { port?: number }, message: string) {
      if (message === 'Mail is received.') mailPort = fields.port ?? 0
    },
  }
  const env = { MAIL_DOMAINS: mailDomain, MAIL_PORT: '0', ...options.env }
  const gateway = await startGateway({ ...options, log, env }, atEnd)
  return {
    ...gateway,
    mailPort,
    async deliver(mail) {
      const transport = createTransport({
        host: '127.0.0.1',
        port: mailPort,
        tls: { rejectUnauthorized: false },
      })
      try {
        return await transport.sendMail(mail)
      } finally {
        transport.close()
      }
    },
  }
}

let inboxes = 0

/** A new inbox of the account. Its address. */
export async function createInbox(account: TestAccount, more: object = {}): Promise<string> {
  inboxes += 1
  const username = `agent${inboxes}x${process.pid}`
  const { body } = await account.call('ns_mail/create_inbox', { username, ...more })
  return body.data.inbox_id
}
