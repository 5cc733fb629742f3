// Inboxes on the operator's domains, and the SMTP server that receives their mail.
import { readFileSync } from 'node:fs'
import type { Files } from '#features/storage/files/files.ts'
import { createMail, type Mail } from '#features/storage/mail/mail.ts'
import type { Config } from '../config.ts'
import type { AppContext } from './context.ts'
import type { Store } from './store.ts'

export async function openMail(
  { config, clock, log, onClose }: AppContext,
  { database }: Store,
  files: Files,
): Promise<Mail> {
  const { MAIL_DOMAINS: domains, MAIL_PORT: port, SMTP_RELAY_URL: url } = config
  const { MAIL_DKIM_KEY: privateKey, MAIL_DKIM_SELECTOR: selector } = config
  const isOn = domains.length > 0 && port !== undefined
  const mail = createMail({
    database,
    clock,
    log,
    domains,
    filesOf: files.ofCaller,
    postmaster: config.MAIL_POSTMASTER,
    sender: config.MAIL_SENDER ?? (domains[0] && `no-reply@${domains[0]}`),
    hostname: config.MAIL_HOSTNAME ?? domains[0] ?? 'localhost',
    tls: readCertificate(config),
    relay:
      url === undefined
        ? undefined
        : { url, dkim: privateKey ? { selector, privateKey } : undefined },
    strangerLimits: {
      firstDay: config.MAIL_STRANGERS_FIRST_DAY,
      perDay: config.MAIL_STRANGERS_PER_DAY,
    },
    missing: isOn
      ? undefined
      : 'Set MAIL_DOMAINS and MAIL_PORT to have inboxes on your own domains.',
  })
  onClose(mail.close)
  if (!isOn) return mail
  const listening = await mail.server.listen(port, config.MAIL_HOST)
  onClose(mail.server.close)
  log.info({ port: listening, domains }, 'Mail is received.')
  return mail
}

function readCertificate(config: Config): { cert: string; key: string } | undefined {
  const { MAIL_TLS_CERT_PATH: cert, MAIL_TLS_KEY_PATH: key } = config
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined)
    throw new Error(
      'The configuration is invalid. MAIL_TLS_CERT_PATH and MAIL_TLS_KEY_PATH belong together: set both.',
    )
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}
