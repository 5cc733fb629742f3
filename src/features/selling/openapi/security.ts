// Where the operator's key goes. Callers never see it, so its place is not among their fields.

import { membersOf } from '#core/input/members.ts'
import type { DescribedKey, DescribedSecurity } from '../described-operation.ts'
import type { DescriptionReading } from './draft-field.ts'
import { placeName } from './parameters.ts'
import { at, isObject, partsOf, problemAt, type SourcePlace, textAt } from './place.ts'
import { followed } from './schemas.ts'

/**
 * The first alternative that a gateway can meet, also where the operation could be called without: a key mostly gives
 * more. Throws a DescriptionProblem if there is none.
 */
export function securityOf(reading: DescriptionReading, operation: SourcePlace): DescribedSecurity {
  const own = at(operation, 'security')
  const asked = own.value === undefined ? at(reading.root, 'security') : own
  const alternatives = partsOf(asked).filter(({ value }) => isObject(value))
  const named = alternatives.filter(({ value }) => Object.keys(membersOf(value)).length > 0)
  if (named.length === 0) return 'none'
  const isOptional = named.length < alternatives.length
  const readable = named.map((alternative) => keysOf(reading, alternative))
  const whole = readable.find((keys) => keys.length > 0 && !keys.includes(undefined))
  if (whole) return joined(whole.filter((key) => key !== undefined))
  if (isOptional) return 'none'
  throw problemAt(
    named[0] ?? asked,
    `The operation needs ${schemeNames(named)}, which a gateway cannot send.`,
  )
}

const schemeNames = (alternatives: readonly SourcePlace[]) =>
  alternatives.map(({ value }) => Object.keys(membersOf(value)).join(' with ')).join(' or ')

/** Several keys that are sent together are one credential, with colons between them. */
function joined([first, ...others]: readonly DescribedKey[]): DescribedSecurity {
  if (first === undefined) return 'none'
  return others.length === 0 ? first : { ...first, and: others }
}

function keysOf(
  reading: DescriptionReading,
  alternative: SourcePlace,
): (DescribedKey | undefined)[] {
  return Object.keys(membersOf(alternative.value)).map((name) => {
    const scheme = schemePlaces(reading)
      .map((schemes) => at(schemes, name))
      .find(({ value }) => isObject(value))
    const target = scheme && followed(reading.documents, scheme)
    return target && keyOfScheme(target)
  })
}

const schemePlaces = ({ root }: DescriptionReading) => [
  at(root, 'components', 'securitySchemes'),
  at(root, 'securityDefinitions'),
]

function keyOfScheme(scheme: SourcePlace): DescribedKey | undefined {
  const type = textAt(scheme, 'type')
  if (type === 'basic') return { kind: 'basic' }
  if (type === 'oauth2' || type === 'openIdConnect') return { kind: 'bearer' }
  if (type === 'http') return httpScheme(textAt(scheme, 'scheme') ?? '')
  const name = textAt(scheme, 'name')
  const place = textAt(scheme, 'in')
  if (type !== 'apiKey' || name === undefined || name === '') return undefined
  if (place === 'header' && name.toLowerCase() === 'authorization')
    return authorization(scheme, name)
  return place === 'header' || place === 'query' || place === 'cookie'
    ? { kind: place, name }
    : undefined
}

function httpScheme(scheme: string): DescribedKey | undefined {
  const name = scheme.toLowerCase()
  if (name === 'bearer' || name === 'basic') return { kind: name }
  // They compute with the request: a key alone does not help.
  if (name === '' || /digest|hoba|mutual|negotiate|scram|vapid|signature|aws|hmac/.test(name))
    return undefined
  return { kind: 'header', name: 'Authorization', prefix: `${scheme} ` }
}

/** Before `http` schemes there were, descriptions said in words how the header begins. */
function authorization(scheme: SourcePlace, name: string): DescribedKey {
  const said = textAt(scheme, 'description') ?? ''
  if (/\bbearer\b/i.test(said)) return { kind: 'bearer' }
  const prefix =
    /\b(Token|ApiKey|Api-Key|Key|GenieKey|Klaviyo-API-Key|SSWS|DeepL-Auth-Key)\s+[<{[$]/.exec(
      said,
    )?.[1]
  return { kind: 'header', name, ...(prefix && { prefix: `${prefix} ` }) }
}

/** The places that credentials take, `header x-api-key`. */
export function credentialPlaces(reading: DescriptionReading): Set<string> {
  const schemes = schemePlaces(reading).flatMap(partsOf)
  const keys = schemes.flatMap((scheme) => {
    const target = followed(reading.documents, scheme)
    return (target && keyOfScheme(target)) ?? []
  })
  return new Set(keys.flatMap(({ kind, name }) => (name ? [placeName(kind, name)] : [])))
}
