// Chooses the provider of a call.
/** By preference. */
export const providers = ['ns_render_b', 'ns_render_a'] as const
export const onlyRenderB = ['render_js', 'stealth', 'proxy_country'] as const

/** The only provider that can serve this input, if there is just one. */
export function required(
  input: Parameters<typeof pinned>[0] & Partial<Record<(typeof onlyRenderB)[number], unknown>>,
) {
  const isOfRenderB = onlyRenderB.some((field) => input[field] !== undefined)
  return pinned(input) ?? (isOfRenderB ? 'ns_render_b' : undefined)
}

export function pinned({ provider }: { provider?: string | undefined }) {
  return providers.find((name) => name === provider || name === `ns_${provider}`)
}
