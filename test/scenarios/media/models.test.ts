// Generations over HTTP against the vendor's documented queue: what is sent, what is answered, what is charged.
import { afterAll, describe, expect, test } from 'vitest'
import { shareGateway, shareGatewayOfWorker, verify } from '#test/harness.ts'
import { mediaKey, startMediaVendor } from '#test/media-vendor.ts'

const vendor = await startMediaVendor()
afterAll(vendor.close)
const gateway = shareGateway({
  env: { NS_MEDIA_API_KEY: mediaKey, NS_MEDIA_BASE_URL: vendor.url },
})
const withoutKey = shareGatewayOfWorker()
const picture = { model: 'flux/dev', prompt: 'A lighthouse', image_size: '1024x1024' }

afterAll(async () => {
  expect(vendor.problems).toEqual([])
})

describe('an image', () => {
  test('is answered in the response, at the quoted price', async () => {
    vendor.plan({ before: ['IN_QUEUE', 'IN_PROGRESS'] })
    const account = await gateway().account(100)
    const quoted = await account.call('ns_media/generate?quote=true', picture)
    expect(quoted.body.data.price).toMatchObject({ kind: 'exact', usd: '0.025000' })
    const { status, body } = await account.call('ns_media/generate', picture)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ok: true,
      data: {
        model: 'flux/dev',
        type: 'text_to_image',
        provider: 'fal',
        output_url: 'https://v3.fal.media/files/rabbit/picture.jpg',
        outputs: [{ kind: 'image', media_type: 'image/jpeg' }],
      },
      charged_usd: '0.025000',
    })
    expect(vendor.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /fal-ai/flux/dev',
      expect.stringMatching(/^GET \/fal-ai\/flux\/requests\/[\w-]+$/),
    ])
    expect(vendor.seen[0]?.body).toEqual({
      prompt: 'A lighthouse',
      image_size: { width: 1024, height: 1024 },
      num_images: 1,
    })
    expect(vendor.polls()).toBe(3)
  })

  test('that was lost is read again without a new generation', async () => {
    vendor.plan({})
    const account = await gateway().account(100)
    const { body } = await account.call('ns_media/generate', picture)
    const again = await account.call('tollway/result', { transaction_id: body.transaction_id })
    expect(again.body.data.result).toEqual(body.data)
    expect(vendor.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})

describe('a request that does not fit its model is a 400 before anything is held or sent', () => {
  test.each([
    [{ model: 'flux/devv', prompt: 'x' }, /no model has this key.*Did you mean/],
    [{ model: 'flux/dev' }, /"prompt" is missing|prompt/],
    [{ ...picture, duration: 5 }, /flux\/dev does not take "duration". It takes: .*image_size/],
    [{ ...picture, image_size: 'huge' }, /image_size: matches none of .*landscape_4_3.*width/],
    [{ ...picture, num_images: 9 }, /num_images/],
    [{ model: 'veo3.1', prompt: 'x', duration: 7 }, /duration/],
    [{ prompt: 'x' }, /"model" is missing/],
  ])('%j', async (body, message) => {
    vendor.plan({})
    const account = await gateway().account(1_000)
    const reply = await account.call('ns_media/generate', body)
    expect(reply.status).toBe(400)
    expect(reply.body.message).toMatch(message)
    expect(vendor.seen).toEqual([])
    expect(await account.state()).toMatchObject({ availableCents: 1_000, transactions: 0 })
  })
})

describe('a failure of the vendor is free', () => {
  const fault = (type: string, loc = ['body', 'prompt']) => ({
    detail: [{ loc, msg: 'words of the vendor', type, url: 'https://docs.fal.ai/errors' }],
  })
  const modelFaults = [
    ['content_policy_violation', 422, 400, 'content_policy_violation'],
    ['no_media_generated', 422, 400, 'bad_request'],
    ['image_too_small', 422, 400, 'bad_request'],
    ['image_too_large', 422, 400, 'bad_request'],
    ['image_load_error', 422, 400, 'bad_request'],
    ['file_download_error', 422, 400, 'bad_request'],
    ['file_too_large', 422, 400, 'bad_request'],
    ['face_detection_error', 422, 400, 'bad_request'],
    ['feature_not_supported', 422, 400, 'bad_request'],
    ['unsupported_image_format', 422, 400, 'bad_request'],
    ['unsupported_audio_format', 422, 400, 'bad_request'],
    ['unsupported_video_format', 422, 400, 'bad_request'],
    ['audio_duration_too_long', 422, 400, 'bad_request'],
    ['audio_duration_too_short', 422, 400, 'bad_request'],
    ['video_duration_too_long', 422, 400, 'bad_request'],
    ['video_duration_too_short', 422, 400, 'bad_request'],
    ['greater_than', 422, 400, 'bad_request'],
    ['greater_than_equal', 422, 400, 'bad_request'],
    ['less_than', 422, 400, 'bad_request'],
    ['less_than_equal', 422, 400, 'bad_request'],
    ['multiple_of', 422, 400, 'bad_request'],
    ['sequence_too_short', 422, 400, 'bad_request'],
    ['sequence_too_long', 422, 400, 'bad_request'],
    ['one_of', 422, 400, 'bad_request'],
    ['internal_server_error', 500, 500, 'upstream_error'],
    ['generation_timeout', 504, 500, 'upstream_error'],
    ['downstream_service_error', 400, 500, 'upstream_error'],
    ['downstream_service_unavailable', 500, 500, 'upstream_error'],
  ] as const

  test.each(modelFaults)('%s of a model', async (type, status, expected, code) => {
    vendor.plan({ status, result: fault(type) })
    const account = await gateway().account(100)
    const reply = await account.call('ns_media/generate', picture)
    expect(reply.status).toBe(expected)
    expect(reply.body).toMatchObject({ error: code })
    expect(reply.body.message).not.toContain('words of the vendor')
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test.each([
    'request_timeout',
    'startup_timeout',
    'runner_scheduling_failure',
    'runner_connection_timeout',
    'runner_disconnected',
    'runner_connection_refused',
    'runner_connection_error',
    'runner_incomplete_response',
    'runner_server_error',
    'client_disconnected',
    'client_cancelled',
    'internal_error',
  ])('%s of a request, reported by the status', async (error_type) => {
    vendor.plan({ completed: { error: 'words of the vendor', error_type } })
    const account = await gateway().account(100)
    const reply = await account.call('ns_media/generate', picture)
    expect(reply.body).toMatchObject({ error: 'upstream_error', data: { reason: error_type } })
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test.each([
    [400, { detail: 'Bad request', error_type: 'bad_request' }, 'bad_request'],
    [401, { detail: 'Unauthorized' }, 'upstream_error'],
    [403, { detail: 'User is locked. Reason: Exhausted balance.' }, 'upstream_error'],
    [404, { detail: 'Application not found' }, 'not_found'],
    [422, fault('missing'), 'bad_request'],
    [422, fault('content_policy_violation'), 'content_policy_violation'],
    [429, { detail: 'Too many requests' }, 'rate_limited'],
  ] as const)('a submission that is refused with %s %j', async (status, body, code) => {
    vendor.plan({ refusal: { status, body } })
    const account = await gateway().account(100)
    expect((await account.call('ns_media/generate', picture)).body).toMatchObject({ error: code })
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  })

  test('a result without media', async () => {
    vendor.plan({ result: { images: [], seed: 1 } })
    const account = await gateway().account(100)
    const reply = await account.call('ns_media/generate', picture)
    expect(reply.body).toMatchObject({ error: 'upstream_error' })
    expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    expect(await verify(gateway())).toMatchObject({ ok: true })
  })
})

describe('GET /api/catalog', () => {
  test('lists every model with what it takes and costs, for everyone', async () => {
    const { status, body } = await gateway().request('GET', '/api/catalog')
    expect(status).toBe(200)
    expect(body.total).toBe(body.models.length)
    expect(body.models.find(({ model }: { model: string }) => model === 'flux/dev')).toMatchObject({
      type: 'text_to_image',
      provider: 'vendor',
      available: true,
      async: false,
      parameters: { type: 'object', required: ['prompt'], additionalProperties: false },
      price: { per: 'megapixel', cents: 2.5 },
      example: { model: 'flux/dev' },
    })
  })

  test('says why a model is unavailable without the key', async () => {
    const { body } = await withoutKey().request('GET', '/api/catalog')
    const vendors = body.models.filter(
      ({ provider }: { provider: string }) => provider === 'vendor',
    )
    for (const { available, reason } of vendors) {
      expect(available).toBe(false)
      expect(reason).toContain('NS_MEDIA_API_KEY')
    }
    const account = await withoutKey().account(100)
    const reply = await account.call('ns_media/generate', picture)
    expect(reply.status).toBe(503)
    expect(reply.body.error).toBe('provider_not_configured')
  })
})

test('an upload is staged at the vendor for 1¢', async () => {
  vendor.plan({})
  const account = await gateway().account(100)
  const body = { file_name: 'photo.jpg', content_type: 'image/jpeg' }
  expect((await account.call('ns_media/upload', body)).body).toMatchObject({
    data: {
      upload_url: expect.stringContaining('/upload/'),
      file_url: expect.stringContaining('/files/'),
    },
    charged_cents: 1,
  })
})
