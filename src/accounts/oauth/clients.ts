// What clients say of themselves, when they register or by a document at their own address.
import { errors } from 'oidc-provider'
import { z } from '#core/action.ts'

const redirectUrisMax = 20
const textMax = 200

/** Other fields are left out: none of them is used, and strangers write them. */
const metadataShape = z.object({
  client_id: z.string().max(2_000).optional(),
  client_name: z.string().trim().min(1).max(textMax).optional().catch(undefined),
  client_uri: z.string().max(2_000).optional().catch(undefined),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(redirectUrisMax),
  grant_types: z.array(z.string()).max(redirectUrisMax).optional(),
  response_types: z.array(z.string()).max(redirectUrisMax).optional(),
})

const grantTypes = ['authorization_code', 'refresh_token'] as const

/**
 * The metadata as this server keeps it. Every client is public and proves itself by PKCE, since programs on people's machines keep no
 * secrets. Throws `invalid_client_metadata` or `invalid_redirect_uri`.
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
  // The library takes http and schemes of programs from native clients only: http on this machine, and no scheme that a browser runs.
  const isWeb = targets.every((target) => target?.protocol === 'https:')
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
