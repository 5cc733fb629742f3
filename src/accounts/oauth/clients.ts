// What clients say of themselves, when they register or by a document at their own address.
import { errors } from 'oidc-provider'
import { z } from '#core/action.ts'
import { removeHidden } from '#core/input/hidden-characters.ts'

const redirectUrisMax = 20
const textMax = 200
/** Of the metadata as it is kept. */
const metadataBytesMax = 10_000
/**
 * Programs that open links of a scheme without a dot, which RFC 8252 asks for. Other such schemes belong to the browser
 * or system.
 */
const programSchemes = ['cursor:', 'vscode:', 'vscode-insiders:']
const loopbackNames = ['127.0.0.1', '[::1]', 'localhost']

/** What a client calls itself, without what would change how the text around it reads. */
export const shownName = z
  .string()
  .transform(removeHidden)
  .pipe(z.string().trim().min(1).max(textMax))

/** Other fields are left out: none of them is used, and strangers write them. */
const metadataShape = z.object({
  client_id: z.string().max(2_000).optional(),
  client_name: shownName.optional().catch(undefined),
  client_uri: z.string().max(2_000).optional().catch(undefined),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(redirectUrisMax),
  grant_types: z.array(z.string()).max(redirectUrisMax).optional(),
  response_types: z.array(z.string()).max(redirectUrisMax).optional(),
})

const grantTypes = ['authorization_code', 'refresh_token'] as const

/**
 * The metadata as this server keeps it. Every client is public and proves itself by PKCE, since programs on people's
 * machines keep no secrets. Throws `invalid_client_metadata` or `invalid_redirect_uri`.
 */
export function readClientMetadata(sent: unknown): Record<string, unknown> {
  const parsed = metadataShape.safeParse(sent)
  if (!parsed.success)
    throw new errors.InvalidClientMetadata(
      `redirect_uris must be a list of 1 to ${redirectUrisMax} addresses, and the other fields as RFC 7591 describes them`,
    )
  const { client_uri: homepage, ...rest } = parsed.data
  const targets = rest.redirect_uris.map((uri) => URL.parse(uri))
  if (targets.some((target) => target?.username || target?.password))
    throw new errors.InvalidRedirectUri('redirect_uris must not contain a user name')
  if (targets.some((target) => target === null || !mayLeadTo(target)))
    throw new errors.InvalidRedirectUri(
      'redirect_uris must be https, http of this machine, or of a scheme of your own that has a dot, such as com.example.app:/callback',
    )
  // The library takes http and schemes of programs from native clients only: http on this machine, and no scheme that a
  // browser runs.
  const isWeb = targets.every((target) => target?.protocol === 'https:')
  if (!isStorable(rest))
    throw new errors.InvalidClientMetadata(
      `the metadata must be well-formed text without U+0000, and have at most ${metadataBytesMax} bytes`,
    )
  const wanted = grantTypes.filter((type) => rest.grant_types?.includes(type) ?? true)
  return {
    ...rest,
    ...(URL.parse(homepage ?? '')?.protocol === 'https:' ? { client_uri: homepage } : {}),
    application_type: isWeb ? 'web' : 'native',
    token_endpoint_auth_method: 'none',
    grant_types: wanted.includes('authorization_code') ? wanted : [...grantTypes],
    response_types: ['code'],
  }
}

/** Source: RFC 8252, section 7. */
function mayLeadTo({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true
  if (protocol === 'http:') return loopbackNames.includes(hostname)
  return protocol.includes('.') || programSchemes.includes(protocol)
}

/** PostgreSQL keeps no U+0000, and no half of a surrogate pair. */
function isStorable(metadata: object): boolean {
  const text = JSON.stringify(metadata)
  return Buffer.byteLength(text) <= metadataBytesMax && !/\\u(0000|d[89a-f])/i.test(text)
}
