// The page of the plugin, as browsers read it.
export async function show(element, { request }) {
  const reply = await request('/plugins/allowance/spent/today', {})
  const { spent_usd: spent } = await reply.json()
  element.append(`Spent today: ${spent} dollars.`)
}
