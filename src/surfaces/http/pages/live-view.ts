// The page on which a person looks on at a rented browser. It has no script: the browser's pictures replace one another
// in one image.
import { createHash } from 'node:crypto'

const style = `:root { color-scheme: dark }
body { margin: 0; min-height: 100vh; display: grid; grid-template-rows: auto 1fr; background: #111; color: #bbb;
  font: .9rem/1.5 system-ui, sans-serif }
p { margin: 0; padding: .6rem 1rem }
img { place-self: center; max-width: 100%; max-height: calc(100vh - 2.7rem); background: #fff }`

/** Nothing runs, nothing is sent, and no other site may frame the page. */
export const liveViewHeaders = {
  'content-security-policy': `default-src 'none'; img-src 'self'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const

/** `frames`: the address of the pictures, which needs no escaping. */
export const liveViewPage = (frames: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rented browser · Tollway</title>
<style>${style}</style>
</head>
<body>
<p>You look on at a rented browser. It ends with its session; reload this page after a break.</p>
<img src="${frames}" alt="What the browser shows">
</body>
</html>
`
