// Sells an API at a gateway, as the operator's command does: a preview, and what it shows.
import { adminToken, type Gateway, type Reply } from '../harness.ts'

type Request = Pick<Gateway, 'request'>

export const previewSale = (gateway: Request, body: object): Promise<Reply> =>
  gateway.request('POST', '/api/v1/admin/sold-apis/preview', { key: adminToken, body })

/** Throws where the gateway refuses it. */
export async function sell(gateway: Request, body: object) {
  const preview = await previewSale(gateway, body)
  if (preview.status !== 200) throw new Error(preview.body.message)
  const { name, digest } = preview.body
  const saved = await gateway.request('PUT', `/api/v1/admin/sold-apis/${name}`, {
    key: adminToken,
    body: { ...body, digest },
  })
  if (saved.status !== 200) throw new Error(saved.body.message)
  return preview.body
}
