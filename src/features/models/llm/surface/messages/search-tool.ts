// The vendor's search of the web as a tool, which the gateway runs itself. Versions differ in what the vendor's
// programs do with the results, which is not sold here. Source:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
import {
  type ChatFields,
  invalid,
  isObject,
  readBoolean,
  readNumber,
} from '../../conversation/fields.ts'
import { cacheMarkOf, readList, readObject, readString, requireKnown } from './known-fields.ts'

const usesMax = 1_000
/** As many as a search here takes. */
const domainsMax = 20
const domain = /^[^\s/:]+\.[^\s/:]+(\/\S*)?$/
const fields = [
  'type',
  'name',
  'max_uses',
  'allowed_domains',
  'blocked_domains',
  'user_location',
  'response_inclusion',
  'allowed_callers',
  'cache_control',
  'defer_loading',
  'strict',
]

export interface SearchTool {
  /** In the words of the gateway's hosted tools. */
  readonly settings: ChatFields
  readonly usesMax: number | undefined
  /** The mark for the vendor's cache. */
  readonly mark: ChatFields
  /** Settings without a counterpart. */
  readonly dropped: readonly string[]
}

export const isSearchTool = ({ type }: ChatFields): boolean =>
  typeof type === 'string' && /^web_search_\d{8}$/.test(type)

/** Whether a body offers the search to the model. */
export const offersSearch = (body: unknown): boolean =>
  isObject(body) &&
  Array.isArray(body.tools) &&
  body.tools.some((tool) => isObject(tool) && isSearchTool(tool))

export function readSearchTool(at: string, tool: ChatFields): SearchTool {
  requireKnown(at, tool, fields)
  if (tool.name !== 'web_search')
    throw invalid(`${at}.name`, `${at}.name must be web_search for this type.`)
  readBoolean(`${at}.strict`, tool.strict)
  if (tool.user_location != null) readObject(`${at}.user_location`, tool.user_location)
  requireDirect(at, tool)
  const allowed = readDomains(`${at}.allowed_domains`, tool.allowed_domains)
  const blocked = readDomains(`${at}.blocked_domains`, tool.blocked_domains)
  if (allowed !== undefined && blocked !== undefined)
    throw invalid(
      `${at}.blocked_domains`,
      `${at} has allowed_domains and blocked_domains. Send one of them.`,
    )
  return {
    settings: { filters: { allowed_domains: allowed, blocked_domains: blocked } },
    usesMax: readNumber(`${at}.max_uses`, tool.max_uses, [1, usesMax], true),
    mark: cacheMarkOf(at, tool),
    dropped: [
      ...(tool.user_location == null ? [] : ['user_location']),
      ...(readBoolean(`${at}.defer_loading`, tool.defer_loading) === true ? ['defer_loading'] : []),
    ],
  }
}

/** Throws for a tool that only another tool may call. */
export function requireDirect(at: string, { allowed_callers: callers }: ChatFields): void {
  if (callers == null || readList(`${at}.allowed_callers`, callers, 10).includes('direct')) return
  throw invalid(
    `${at}.allowed_callers`,
    `${at}.allowed_callers must include direct: no tool calls another one here.`,
  )
}

function readDomains(at: string, domains: unknown): readonly string[] | undefined {
  if (domains == null) return undefined
  const read = readList(at, domains, domainsMax).map((entry, place) => {
    const name = readString(`${at}.${place}`, entry, 253)
    if (!domain.test(name))
      throw invalid(`${at}.${place}`, `${at}.${place} must be a domain, such as example.com.`)
    return name
  })
  return read.length === 0 ? undefined : read
}
