// Links that people ask for by mail, to sign in or to confirm an address.
import { fail } from '#core/errors.ts'
import type { Log } from '#core/ports.ts'
import type { AttemptCounter, AttemptLimit } from '../attempts.ts'
import type { KeyOwner } from '../keys/keys.ts'
import { mailedLinkSeconds, type SignInAddresses } from './addresses.ts'
import type { SignIns } from './sign-ins.ts'

/** Sends a mail. It may reject. */
export type SendMailToPerson = (mail: {
  readonly to: string
  readonly subject: string
  readonly text: string
}) => Promise<void>

export interface MailedLinks {
  readonly isOn: boolean
  /**
   * Mails a link that signs in, if the address does. It resolves before that is looked up, so that neither the answer
   * nor its time tells. Throws `rate_limited`, and `unavailable` where mail is off.
   */
  askToSignIn(asked: {
    readonly address: string
    /** Where the request comes from. */
    readonly source: string
    /** The secret of the one browser in which the link works. */
    readonly browser: string
    /** The path to go to afterwards. */
    readonly next: string
  }): Promise<void>
  /** Mails a link that confirms the address. Throws as `askToSignIn`, and what the relay refuses. */
  askToConfirm(owner: KeyOwner, address: string): Promise<void>
  /** Waits for mail that is under way. */
  close(): Promise<void>
}

const hourSeconds = 3_600
const limits = {
  address: limit('links to an address', 5, 'At most 5 links an hour go to one e-mail address.'),
  source: limit('links of a source', 30, 'At most 30 links an hour are asked for from one place.'),
  account: limit('links of an account', 10, 'An account confirms at most 10 addresses an hour.'),
}

function limit(name: string, attemptsMax: number, message: string): AttemptLimit {
  return { name, attemptsMax, message, windowSeconds: hourSeconds }
}

interface Dependencies {
  readonly signIns: SignIns
  readonly addresses: SignInAddresses
  readonly attempts: AttemptCounter
  /** Undefined: this gateway sends no mail. */
  readonly send: SendMailToPerson | undefined
  readonly baseUrl: () => string
  readonly log: Log
}

export function createMailedLinks(dependencies: Dependencies): MailedLinks {
  const { signIns, addresses, attempts, send, baseUrl, log } = dependencies
  const underWay = new Set<Promise<void>>()

  async function mailSignIn(address: string, browser: string, next: string) {
    const keyHash = await addresses.find(address)
    if (keyHash === undefined) return
    const link = await signIns.issueLink({ isOperator: false, keyHash }, mailedLinkSeconds, {
      browser,
    })
    const url = `${baseUrl()}/sign-in/${link}?next=${encodeURIComponent(next)}`
    await requireMail(send)(signInMail(address, url))
  }

  return {
    isOn: send !== undefined,
    async askToSignIn({ address, source, browser, next }) {
      requireMail(send)
      await attempts.count(limits.source, source)
      await attempts.count(limits.address, address)
      const mailing: Promise<void> = mailSignIn(address, browser, next)
        .catch((error) => log.error({ err: error }, 'A link to sign in was not mailed.'))
        .finally(() => underWay.delete(mailing))
      underWay.add(mailing)
    },
    async askToConfirm(owner, address) {
      const mail = requireMail(send)
      await attempts.count(limits.account, owner.accountId)
      await attempts.count(limits.address, address)
      const token = await addresses.issueConfirmation(owner, address)
      await mail(confirmationMail(address, `${baseUrl()}/sign-in/methods?confirm=${token}`))
    },
    async close() {
      await Promise.all(underWay)
    },
  }
}

function requireMail(send: SendMailToPerson | undefined): SendMailToPerson {
  if (send !== undefined) return send
  throw fail('unavailable', {
    message:
      'This gateway sends no mail. Sign in in another way, or ask its operator to set SMTP_RELAY_URL and MAIL_SENDER.',
  })
}

const minutes = mailedLinkSeconds / 60

const signInMail = (to: string, url: string) => ({
  to,
  subject: `Sign in to ${new URL(url).host}`,
  text: `Open this link in the browser in which you asked for it:

${url}

It signs in once, within ${minutes} minutes. If you did not ask for it, ignore this mail: the link works in no other browser.
`,
})

const confirmationMail = (to: string, url: string) => ({
  to,
  subject: `Confirm your address for ${new URL(url).host}`,
  text: `You want to sign in to your account at ${new URL(url).host} by mail to this address. Open this link within ${minutes} minutes, in a browser that is signed in to the account:

${url}

If you did not ask for it, ignore this mail: the link works in that account only, and nothing changes without it.
`,
})
