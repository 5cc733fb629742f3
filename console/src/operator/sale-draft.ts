// What the form for selling an API holds. An API that is sold again begins with what is stored of it.
import type { Routes } from '@tollway/client'

type SellRequest = Routes['POST /api/v1/admin/sold-apis/preview']['body']
type Rule = Readonly<Record<string, unknown>>

/** What is stored of how an API is sold. */
export interface StoredSale {
  readonly name: string
  readonly address: string
  readonly private: boolean
  readonly rules: readonly Rule[]
  /** Cents of the last rule, where it only says what any other call costs. */
  readonly priceCents: number | null
  readonly kind: NonNullable<SellRequest['kind']>
  readonly server?: string
  readonly credential?: NonNullable<SellRequest['credential']>
  readonly program?: NonNullable<SellRequest['program']> & { readonly package?: string }
}

export interface SaleDraft {
  readonly address: string
  readonly name: string
  /** Cents for each call that no rule is for. Empty: there are none. */
  readonly price: string
  /** The price rules as JSON. Empty: none. */
  readonly rules: string
  readonly isPrivate: boolean
}

export const newDraft: SaleDraft = {
  address: '',
  name: '',
  price: '1',
  rules: '',
  isPrivate: false,
}

export function draftOf(sale: StoredSale): SaleDraft {
  const { name, address, private: isPrivate, rules, priceCents } = sale
  const own = priceCents === null ? rules : rules.slice(0, -1)
  return {
    name,
    address,
    isPrivate,
    price: priceCents === null ? '' : String(priceCents),
    rules: own.length === 0 ? '' : JSON.stringify(own, null, 2),
  }
}

/** What the operator has typed, and what is stored of the rest. A price that they have not chosen is the stored one. */
export function continued(draft: SaleDraft, stored: StoredSale): SaleDraft {
  const known = draftOf(stored)
  return {
    ...draft,
    name: stored.name,
    price: draft.price === newDraft.price ? known.price : draft.price,
    rules: draft.rules === '' ? known.rules : draft.rules,
  }
}

/** Undefined for a text that is not a list of rules. */
export function readRules(text: string): readonly Rule[] | undefined {
  if (text.trim() === '') return []
  try {
    const rules: unknown = JSON.parse(text)
    return Array.isArray(rules) ? rules : undefined
  } catch {
    return undefined
  }
}

export function requestOf(draft: SaleDraft, stored: StoredSale | undefined): SellRequest {
  const { address, name, price, rules, isPrivate } = draft
  return {
    ...(stored?.program ? { program: askedProgram(stored.program) } : { address: address.trim() }),
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(price.trim() !== '' && { price: Number(price) }),
    ...((stored !== undefined || rules.trim() !== '') && { rules: [...(readRules(rules) ?? [])] }),
    ...(isPrivate && { private: true }),
    ...(stored && stored.program === undefined && { kind: stored.kind }),
    ...(stored?.server !== undefined && { server: stored.server }),
    ...(stored?.credential !== undefined && { credential: stored.credential }),
  }
}

/** The version of its package is read anew. */
function askedProgram({ package: _version, ...program }: NonNullable<StoredSale['program']>) {
  return program
}
