// The settings of mail.
import { z } from 'zod'
import { wholeNumber } from '#core/settings.ts'

const domainName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

export const mailSettings = {
  MAIL_DOMAINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
    .transform((names) => names.filter((name) => name !== ''))
    .refine((names) => names.every((name) => domainName.test(name)), {
      message: 'must be domain names with commas between them, such as agents.example.com',
    })
    .describe(
      'Domains on which callers may create inboxes, the default first. Their MX records must name this machine. Unset: no mail without the vendor.',
    ),
  MAIL_PORT: wholeNumber(0, 65_535)
    .optional()
    .describe('Port of the SMTP server that receives mail, usually 25. Unset: it is off.'),
  MAIL_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('Address that the SMTP server listens on. 0.0.0.0 opens it to the network.'),
  MAIL_HOSTNAME: z
    .string()
    .regex(domainName, 'must be a host name')
    .optional()
    .describe('Name by which the SMTP server greets. Unset: the first of MAIL_DOMAINS.'),
  MAIL_POSTMASTER: z
    .email()
    .toLowerCase()
    .optional()
    .describe(
      'Inbox that receives mail for postmaster and abuse of each domain: create it with ns_mail/create_inbox. Unset: such mail is refused.',
    ),
  MAIL_TLS_CERT_PATH: z
    .string()
    .optional()
    .describe('PEM file with the certificate chain for STARTTLS. Unset: STARTTLS is off.'),
  MAIL_TLS_KEY_PATH: z
    .string()
    .optional()
    .describe('PEM file with the private key of the certificate.'),
  SMTP_RELAY_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Server that takes mail to other domains: smtp://user:password@host:587 or smtps://…:465. Unset: inboxes reach each other only.',
    ),
  MAIL_STRANGERS_FIRST_DAY: wholeNumber(1, 1_000_000)
    .default(20)
    .describe(
      'Strangers at other domains to whom a new account may write in a day. Grows by as many with each day of its age, and five times as fast after a paid top-up.',
    ),
  MAIL_STRANGERS_PER_DAY: wholeNumber(1, 1_000_000)
    .default(500)
    .describe('Strangers at other domains to whom any account may write in a day, at most.'),
  MAIL_SENDER: z
    .email()
    .toLowerCase()
    .optional()
    .describe(
      'Address from which the gateway itself writes, through SMTP_RELAY_URL: links to sign in. Unset: no-reply at the first of MAIL_DOMAINS.',
    ),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9-]{1,63}$/)
    .default('tollway')
    .describe('Selector of the DKIM key: its DNS record is <selector>._domainkey.<domain>.'),
  MAIL_DKIM_KEY: z
    .string()
    .includes('PRIVATE KEY', { message: 'must be a private key in PEM' })
    .optional()
    .describe('Private key that signs mail to other domains. Unset: it is not signed.'),
} as const
