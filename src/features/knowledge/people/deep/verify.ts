// Whether mail reaches an address, by the actions that verify addresses.

/** `unknown`: no verifier can tell, for instance because the server accepts mail for every address. */
export type MailVerdict = 'valid' | 'invalid' | 'unknown'

interface Verifier {
  readonly id: string
  read(data: unknown): MailVerdict
}

/** In the order in which they are asked: the first is free when it cannot tell. */
export const verifiers: readonly Verifier[] = [
  {
    id: 'ns_contact/email-verify',
    read: ({ status }) =>
      status === 'valid' ? 'valid' : isBad.test(status) ? 'invalid' : 'unknown',
  },
  {
    id: 'ns_email_a/email-verifier',
    read: ({ email: { result } }) =>
      result === 'deliverable' ? 'valid' : isBad.test(result) ? 'invalid' : 'unknown',
  },
]

const isBad = /^(?:invalid|disposable|undeliverable)$/
