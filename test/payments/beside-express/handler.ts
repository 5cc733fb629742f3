// What both sellers sell. It reads the whole answer of the upstream, and fails if the upstream has not answered well
// within its deadline. Neither it nor Express looks at the content; the gateway does, by the action's output schema.

/** Also of the gateway's action. */
export const deadlineMs = 4_000

export async function askUpstream(text: string, signal?: AbortSignal): Promise<unknown> {
  const deadline = AbortSignal.timeout(deadlineMs)
  const reply = await fetch(process.env.UPSTREAM_URL ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
    signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
  })
  if (!reply.ok) throw new Error(`The upstream answered ${reply.status}.`)
  return await reply.json()
}
