// A page that tries to make its reader's browser reach a server of the reader's own network, by every means it has.

export interface Targets {
  /** `http://127.0.0.1:<port>` of the server to be reached. */
  readonly origin: string
  readonly port: number
  /** The page's own origin, which redirects /to?<url>. */
  readonly home: string
  readonly udpPort: number
}

/** HTML whose text stands still only after everything had time to happen. */
export function hostilePage({ origin, port, home, udpPort }: Targets): string {
  const to = (path: string) => `${home}/to?${encodeURIComponent(`${origin}/${path}`)}`
  return `<!doctype html><title>Hostile</title>
<link rel="stylesheet" href="${origin}/css"><link rel="icon" href="${origin}/icon">
<link rel="prefetch" href="${origin}/prefetch"><link rel="preload" as="fetch" href="${origin}/preload">
<link rel="modulepreload" href="${origin}/modulepreload"><link rel="dns-prefetch" href="//internal.example">
<link rel="preconnect" href="${origin}"><link rel="manifest" href="${origin}/manifest">
<script src="${origin}/script"></script><script src="${to('script-redirected')}"></script>
<style>@import url("${origin}/css-import"); body { background: url("${origin}/css-image") }</style>
<body><h1>Hostile</h1><p id="state">starting</p>
<img src="${origin}/img"><img src="${to('img-redirected')}"><picture><source srcset="${origin}/srcset"><img></picture>
<svg><image href="${origin}/svg-image"/><use href="${origin}/svg-use#x"/></svg>
<iframe src="${origin}/iframe"></iframe><iframe src="${to('iframe-redirected')}"></iframe><iframe src="file:///etc/passwd"></iframe>
<iframe srcdoc="<img src='${origin}/srcdoc'>"></iframe>
<object data="${origin}/object"></object><embed src="${origin}/embed">
<video src="${origin}/video" poster="${origin}/poster" autoplay></video><audio src="${origin}/audio" autoplay></audio>
<form id="form" method="post" action="${origin}/form" target="frame"><input name="a" value="b"></form><iframe name="frame"></iframe>
<a id="ping" href="#" ping="${origin}/ping">x</a>
<script>
const quietly = (what) => { try { const result = what(); if (result && result.catch) result.catch(() => {}) } catch {} }
const origin = ${JSON.stringify(origin)}
quietly(() => fetch(origin + '/fetch', { mode: 'no-cors' }))
quietly(() => fetch(origin + '/fetch-cors'))
quietly(() => fetch(${JSON.stringify(to('fetch-redirected'))}, { mode: 'no-cors' }))
quietly(() => fetch(origin + '/keepalive', { method: 'POST', mode: 'no-cors', keepalive: true }))
quietly(() => { const x = new XMLHttpRequest(); x.open('GET', origin + '/xhr'); x.send() })
quietly(() => navigator.sendBeacon(origin + '/beacon', 'x'))
quietly(() => new EventSource(origin + '/event-source'))
quietly(() => new WebSocket(origin.replace('http', 'ws') + '/websocket'))
quietly(() => new Worker(URL.createObjectURL(new Blob(['fetch("' + origin + '/worker", { mode: "no-cors" }); importScripts("' + origin + '/worker-import")']))))
quietly(() => new SharedWorker(URL.createObjectURL(new Blob(['fetch("' + origin + '/shared-worker", { mode: "no-cors" }); new WebSocket("' + origin.replace('http', 'ws') + '/shared-worker-websocket")']))))
quietly(() => new SharedWorker(${JSON.stringify(`${home}/shared-worker.js`)}))
quietly(() => navigator.serviceWorker.register('/service-worker.js'))
quietly(() => window.open(origin + '/popup'))
quietly(() => document.getElementById('form').submit())
quietly(() => document.getElementById('ping').click())
quietly(() => import(origin + '/import'))
quietly(() => new WebTransport('https://127.0.0.1:${udpPort}/web-transport').ready)
const call = (Peer) => { const peer = new Peer({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }] }); peer.createDataChannel('x'); return peer.createOffer().then((offer) => peer.setLocalDescription(offer)) }
quietly(() => call(RTCPeerConnection))
quietly(() => call(document.body.appendChild(document.createElement('iframe')).contentWindow.RTCPeerConnection))
for (const host of ['localhost', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', 'sub.localhost', 'internal.example', 'rebinding.example'])
  quietly(() => fetch('http://' + host + ':${port}/host-' + encodeURIComponent(host), { mode: 'no-cors' }))
for (const url of ['http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/', 'http://[fc00::1]/', 'file:///etc/passwd'])
  quietly(() => fetch(url, { mode: 'no-cors' }))
let count = 0
const timer = setInterval(() => {
  count += 1
  document.getElementById('state').textContent = 'tick ' + count + ' '.repeat(count) + 'x'.repeat(count)
  if (count === 15) clearInterval(timer)
}, 100)
</script>`
}
