// Pictures of pages through the door, by a real Chromium: what they show, what they cost, and that walls are not sold.
import { createServer } from 'node:http'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '#platform/chromium/chromium.ts'
import { portOf } from '#platform/http/port.ts'
import { type Gateway, startGateway, timelineOf, verify } from '#test/harness.ts'

const executablePath = await findChromium()
const words =
  '<p>Every account in these books is the sum of its postings, and every posting has its opposite.</p>'.repeat(
    9,
  )
const square = (colour: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="${colour}"/></svg>`
const head =
  '<!doctype html><meta name="viewport" content="width=device-width"><title>Books</title>'
const pages: Record<string, { status?: number; type?: string; body: string }> = {
  '/page': {
    body: `${head}<link rel="stylesheet" href="/style.css"><img src="/red.svg" style="position:absolute;top:0;left:0">${words}`,
  },
  '/style.css': {
    type: 'text/css',
    body: 'body { background: #0000ff; margin: 0; padding-top: 200px }',
  },
  '/red.svg': { type: 'image/svg+xml', body: square('#ff0000') },
  '/long': {
    body: `${head}<h1>Long</h1>${words}<div style="height:3000px"></div><img loading="lazy" width="200" height="200" style="display:block" src="/red.svg">`,
  },
  '/endless': { body: `${head}<h1>Endless</h1>${words}<div style="height:90000px"></div>` },
  '/pictures': { body: `${head}<img src="/red.svg" style="position:absolute;top:0;left:0">` },
  '/wall': {
    body: '<title>Just a moment...</title><div id="cf-challenge-running">Checking your browser before accessing</div>',
  },
  '/gone': { status: 404, body: '<h1>Not found</h1>' },
  '/late': {
    body: `${head}${words}<script>setTimeout(() => { document.body.innerHTML += '<b id="late">x</b>'; document.body.style.background = '#00ff00' }, 2500)</script>`,
  },
  '/nosy': { body: '' },
}

let gateway: Gateway
let decoder: Browser
let origin = ''
const secrets: string[] = []
const endings: (() => Promise<void>)[] = []

beforeAll(async () => {
  if (executablePath === undefined) return
  decoder = await chromium.launch({ executablePath, chromiumSandbox: false })
  endings.push(() => decoder.close())
  const open = async (server: ReturnType<typeof createServer>) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    endings.push(async () => void server.close())
    return `127.0.0.1:${portOf(server)}`
  }
  const internal = await open(
    createServer((request, reply) => {
      secrets.push(request.url ?? '')
      reply.writeHead(200, { 'content-type': 'image/svg+xml' }).end(square('#00ff00'))
    }),
  )
  pages['/nosy'] = {
    body: `${head}<style>body { background: url(http://${internal}/css) }</style><img src="http://${internal}/img"><iframe src="http://${internal}/frame"></iframe>${words}`,
  }
  const host = await open(
    createServer((request, reply) => {
      const page = pages[request.url ?? ''] ?? { status: 404, body: '' }
      const type = page.type ?? 'text/html; charset=utf-8'
      reply.writeHead(page.status ?? 200, { 'content-type': type }).end(page.body)
    }),
  )
  origin = `http://${host}`
  gateway = await startGateway({ env: { EGRESS_ALLOW: host } }, (work) => endings.unshift(work))
})

afterAll(async () => {
  for (const end of endings) await end()
})

interface Shot {
  readonly content_type: string
  readonly image_base64: string
}

/** The size of a picture, and the colour of each of the points. */
async function readPicture(shot: Shot, ...points: readonly (readonly [x: number, y: number])[]) {
  const page = await decoder.newPage()
  try {
    return await page.evaluate(
      async ({ source, at }) => {
        const image = new Image()
        image.src = source
        await image.decode()
        const canvas = new OffscreenCanvas(image.width, image.height)
        const context = canvas.getContext('2d')
        context?.drawImage(image, 0, 0)
        const colours = at.map(([x, y]) => {
          const [red = 0, green = 0, blue = 0] = context?.getImageData(x, y, 1, 1).data ?? []
          return { red, green, blue }
        })
        return { width: image.width, height: image.height, colours }
      },
      { source: `data:${shot.content_type};base64,${shot.image_base64}`, at: points },
    )
  } finally {
    await page.close()
  }
}

/** WebP changes colours a little. */
const nearly = (value: number) => expect.toSatisfy((found: number) => Math.abs(found - value) < 12)
const colour = (red: number, green: number, blue: number) => ({
  red: nearly(red),
  green: nearly(green),
  blue: nearly(blue),
})

async function scrape(path: string, options: object = {}) {
  const account = await gateway.account(100)
  const body = { urls: [origin + path], formats: ['screenshot'], ...options }
  return (await account.call('tollway/onescrape', body)).body
}

async function shoot(path: string, options: object = {}) {
  const account = await gateway.account(100)
  const reply = await account.call('tollway/screenshot', { url: origin + path, ...options })
  return { ...reply, account, data: reply.body.data }
}

describe.skipIf(executablePath === undefined)('tollway/screenshot', () => {
  test('shows the page with its styles and pictures, for 1¢', async () => {
    const { body, data, account } = await shoot('/page')
    expect(body).toMatchObject({ ok: true, charged_cents: 1 })
    expect(data).toMatchObject({
      url: `${origin}/page`,
      final_url: `${origin}/page`,
      status_code: 200,
      title: 'Books',
      format: 'webp',
      content_type: 'image/webp',
      width: 1_366,
      height: 900,
      truncated: false,
      provider: 'chromium',
    })
    expect(await readPicture(data, [100, 100], [1_300, 100])).toEqual({
      width: 1_366,
      height: 900,
      colours: [colour(255, 0, 0), colour(0, 0, 255)],
    })
    expect(await timelineOf(account, body.transaction_id)).toEqual(['hold', 'hop', 'settle'])
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('keeps the picture as a file of the caller, and returns its address', async () => {
    const { body, data, account } = await shoot('/page', { store: true })
    expect(body).toMatchObject({ charged_cents: 1, data: { image_base64: null } })
    const served = await fetch(data.get_url)
    expect([served.headers.get('content-type'), served.headers.get('content-length')]).toEqual([
      'image/webp',
      String(data.bytes),
    ])
    const bytes = Buffer.from(await served.arrayBuffer())
    const picture = { ...data, image_base64: bytes.toString('base64') }
    expect(await readPicture(picture, [100, 100])).toMatchObject({ colours: [colour(255, 0, 0)] })
    const found = await account.call('files/get', { file_id: data.file_id })
    expect(found.body.data).toMatchObject({ source: 'action', size: data.bytes })
  })

  test('shows the whole page as PNG, with pictures that load when they are in view', async () => {
    const { data } = await shoot('/long', {
      full_page: true,
      format: 'png',
      width: 800,
      height: 600,
    })
    expect(data).toMatchObject({ content_type: 'image/png', width: 800, truncated: false })
    expect(data.height).toBeGreaterThan(3_200)
    const picture = await readPicture(data, [100, data.height - 100])
    expect(picture).toEqual({ width: 800, height: data.height, colours: [colour(255, 0, 0)] })
  })

  test('ends a page that is too long, and says so', async () => {
    const { data } = await shoot('/endless', { full_page: true })
    expect(data.truncated).toBe(true)
    expect(data.width * data.height).toBeLessThanOrEqual(16_000_000)
    const picture = await readPicture(data)
    expect([picture.width, picture.height]).toEqual([data.width, data.height])
  })

  test('asks as a phone, and waits for what the caller names', async () => {
    const { data } = await shoot('/page', { mobile: true })
    const picture = await readPicture(data)
    expect([picture.width, picture.height]).toEqual([data.width, data.height])
    expect([data.width, data.height]).toEqual([824, 1_830])
    const late = await shoot('/late', { wait_for: '#late' })
    const { colours } = await readPicture(late.data, [1_300, 800])
    expect(colours).toEqual([colour(0, 255, 0)])
  })

  test('sells a page of pictures, and neither a wall nor an error', async () => {
    const pictures = await shoot('/pictures')
    expect(pictures.body).toMatchObject({ ok: true, charged_cents: 1 })
    for (const [path, error] of [
      ['/wall', 'blocked'],
      ['/gone', 'not_found'],
    ] as const) {
      const { status, body, account } = await shoot(path)
      expect([status, body.error, body.data.error], path).toEqual([502, 'all_blocked', error])
      expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
    }
    expect(await verify(gateway)).toMatchObject({ ok: true })
  })

  test('reaches nothing of the network of the gateway', async () => {
    const { status, data } = await shoot('/nosy', { full_page: true })
    expect([status, data.status_code]).toEqual([200, 200])
    expect(secrets).toEqual([])
  })
})

describe.skipIf(executablePath === undefined)('formats: screenshot', () => {
  test('gives a row a picture of the window, at the price of the page', async () => {
    const { data, charged_cents } = await scrape('/page')
    expect(charged_cents).toBe(2)
    const [row] = data.rows
    expect(row.content).toContain('Every account in these books')
    expect(row).toMatchObject({
      provider: 'chromium',
      screenshot: { content_type: 'image/webp', width: 1_366, height: 900 },
    })
    const { colours } = await readPicture(row.screenshot, [50, 50], [1_000, 50])
    expect(colours).toEqual([colour(255, 0, 0), colour(0, 0, 255)])
    const { hops } = row
    expect(hops[0]).toMatchObject({ provider: 'fetch', skipped: 'screenshot' })
    expect(hops.at(-1)).toMatchObject({ provider: 'chromium', action: 'screenshot', ok: true })
  })

  test('waits for what the caller waits for, as a phone', async () => {
    const { data } = await scrape('/late', { wait_for: '#late', mobile: true })
    const { screenshot } = data.rows[0]
    expect(screenshot.width).toBeLessThan(screenshot.height)
    expect((await readPicture(screenshot, [5, 5])).colours).toEqual([colour(0, 255, 0)])
  })

  test('shows no wall, which is not read either', async () => {
    const { error, data } = await scrape('/wall')
    expect(error).toBe('all_blocked')
    expect(data.rows[0]).not.toHaveProperty('screenshot')
  })
})
