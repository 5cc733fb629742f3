// Whether the DNS records of the operator's domains are as mail needs them.
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { errorCodeOf } from '#platform/thrown.ts'
import { questionTimeoutMs } from './limits.ts'
import type { DkimKey } from './relay.ts'

export interface CheckedRecord {
  readonly record: 'MX' | 'address' | 'SPF' | 'DKIM' | 'DMARC'
  readonly name: string
  /** `unknown`: the name servers did not answer. */
  readonly status: 'ok' | 'missing' | 'wrong' | 'unknown'
  readonly found: readonly string[]
  /** What should be there. */
  readonly expected: string
}

export interface CheckedDomain {
  readonly domain: string
  readonly records: readonly CheckedRecord[]
}

/** The records of this kind. Rejects as `node:dns` does. */
export type LookUp = (name: string, type: 'MX' | 'TXT' | 'A' | 'AAAA') => Promise<string[]>

interface Rule extends Pick<CheckedRecord, 'record' | 'name' | 'expected'> {
  readonly types: readonly Parameters<LookUp>[1][]
  /** The records that it is about. A name may have other ones too. */
  readonly concerns?: (text: string) => boolean
  readonly isRight: (found: readonly string[]) => boolean
}

export function createDnsCheck({
  domains,
  hostname,
  dkim,
  lookUp = askNameServers(),
}: {
  readonly domains: readonly string[]
  readonly hostname: string
  readonly dkim: DkimKey | undefined
  readonly lookUp?: LookUp
}): () => Promise<readonly CheckedDomain[]> {
  const publicKey = dkim && publicHalf(dkim)
  return () =>
    Promise.all(
      domains.map(async (domain) => ({
        domain,
        records: await Promise.all(
          rulesFor(domain, hostname, publicKey).map((rule) => check(rule, lookUp)),
        ),
      })),
    )
}

function rulesFor(
  domain: string,
  hostname: string,
  dkim: { selector: string; key: string } | undefined,
): readonly Rule[] {
  return [
    {
      record: 'MX',
      name: domain,
      types: ['MX'],
      expected: `10 ${hostname}.`,
      isRight: (found) => found.some((each) => each.split(' ')[1] === hostname),
    },
    {
      record: 'address',
      name: hostname,
      types: ['A', 'AAAA'],
      expected: 'the public address of this machine',
      isRight: (found) => found.length > 0,
    },
    {
      record: 'SPF',
      name: domain,
      types: ['TXT'],
      expected: 'one record: v=spf1, the servers of your relay, -all',
      concerns: (text) => /^v=spf1(?: |$)/i.test(text),
      isRight: ([record = '', ...more]) =>
        more.length === 0 && /[ ][-~]all\b|redirect=/i.test(record),
    },
    ...(dkim === undefined ? [] : [dkimRule(domain, dkim)]),
    {
      record: 'DMARC',
      name: `_dmarc.${domain}`,
      types: ['TXT'],
      expected: 'one record: v=DMARC1; p=reject',
      concerns: (text) => /^v=DMARC1\b/i.test(text),
      isRight: ([record = '', ...more]) =>
        more.length === 0 && /;\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(record),
    },
  ]
}

function dkimRule(domain: string, { selector, key }: { selector: string; key: string }): Rule {
  return {
    record: 'DKIM',
    name: `${selector}._domainkey.${domain}`,
    types: ['TXT'],
    expected: `v=DKIM1; k=rsa; p=${key}`,
    concerns: (text) => /(?:^|;)\s*p\s*=/.test(text),
    isRight: (found) =>
      found.some((text) => /(?:^|;)\s*p\s*=([^;]*)/.exec(text)?.[1]?.replaceAll(/\s/g, '') === key),
  }
}

async function check(
  { types, concerns = () => true, isRight, ...rule }: Rule,
  lookUp: LookUp,
): Promise<CheckedRecord> {
  const answers = await Promise.all(types.map((type) => ask(lookUp, rule.name, type)))
  const found = answers.flatMap((answer) => answer ?? []).filter(concerns)
  if (found.length > 0) return { ...rule, status: isRight(found) ? 'ok' : 'wrong', found }
  return { ...rule, status: answers.includes(undefined) ? 'unknown' : 'missing', found }
}

const noRecord = new Set(['ENOTFOUND', 'ENODATA'])

/** Undefined when the name servers do not answer. */
async function ask(lookUp: LookUp, name: string, type: Parameters<LookUp>[1]) {
  try {
    return await lookUp(name, type)
  } catch (thrown) {
    return noRecord.has(String(errorCodeOf(thrown))) ? [] : undefined
  }
}

function publicHalf({ selector, privateKey }: DkimKey) {
  const key = readKey(privateKey)
  if (key?.asymmetricKeyType !== 'rsa')
    throw new Error('The configuration is invalid. MAIL_DKIM_KEY must be a private RSA key in PEM.')
  return { selector, key: key.export({ type: 'spki', format: 'der' }).toString('base64') }
}

function readKey(privateKey: string) {
  try {
    return createPublicKey(createPrivateKey(privateKey))
  } catch {
    return undefined
  }
}

function askNameServers(): LookUp {
  const resolver = new Resolver({ timeout: questionTimeoutMs, tries: 2 })
  return async (name, type) => {
    if (type === 'A') return await resolver.resolve4(name)
    if (type === 'AAAA') return await resolver.resolve6(name)
    if (type === 'TXT') return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    const exchanges = await resolver.resolveMx(name)
    return exchanges.map(({ priority, exchange }) => `${priority} ${exchange.toLowerCase()}`)
  }
}
