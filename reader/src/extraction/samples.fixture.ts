// Pages written for the tests of the extractor, one for each type: what must stay and what must go.

export interface Sample {
  readonly type: string
  readonly url: string
  readonly html: string
  readonly kept: readonly string[]
  readonly gone: readonly string[]
  readonly title: string
}

const navigation = `<header class="site-header"><a class="logo" href="/">Millstream</a><nav class="main-menu"><ul>
  <li><a href="/">Home</a></li><li><a href="/shop">Shop everything</a></li><li><a href="/journal">Journal</a></li>
  <li><a href="/about">About the company</a></li><li><a href="/login">Log in</a></li></ul></nav></header>`
const footer = `<footer class="site-footer"><div class="newsletter"><h4>Newsletter</h4><p>Subscribe to our newsletter for updates</p></div>
  <ul><li><a href="/privacy">Privacy policy</a></li><li><a href="/terms">Terms of use</a></li><li><a href="/imprint">Imprint</a></li></ul>
  <p>© 2025 Millstream Ltd. All rights reserved.</p></footer><div class="cookie-banner">We use cookies to improve your experience.
  <button>Accept all</button></div>`
const related = `<aside class="sidebar related-posts"><h3>You might also like</h3><ul><li><a href="/a">Ten ways to bake bread at home</a></li>
  <li><a href="/b">What the baker told us in spring</a></li><li><a href="/c">Our favourite mills</a></li></ul></aside>`
const page = (title: string, body: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>${title} | Millstream</title>${head}</head><body>${navigation}${body}${footer}</body></html>`
const prose = [
  'The mill has stood at the bend of the river since 1801, and in all that time it has burned down only twice. The second fire, in the dry summer of 1911, took the wheel, the loft and most of the records.',
  'What we know of the early years comes from the letters of the miller’s daughter, who wrote to her sister every week and kept a copy of each. She describes the noise, the dust and the long nights before market day.',
  'After the war the mill was bought by a cooperative of bakers, who could not agree on anything except that it should keep turning. They repaired the dam with their own hands, and paid for the new wheel in flour.',
  'Today it grinds three days a week. Visitors are welcome to watch from the gallery, provided that they leave their dogs outside and do not mind going home a little whiter than they came.',
]
const article: Sample = {
  type: 'article',
  url: 'https://millstream.example/journal/the-mill-at-the-bend',
  title: 'The mill at the bend of the river',
  html: page(
    'The mill at the bend of the river',
    `<main><article class="post"><h1>The mill at the bend of the river</h1><div class="share-buttons"><a href="#">Share on Facebook</a> <a href="#">Tweet this</a></div>
     <div class="entry-content">${prose.map((text) => `<p>${text}</p>`).join('')}<h2>How to get there</h2><p>The train stops at the village every two hours, and from the station it is a walk of twenty minutes along the river.</p></div></article>${related}</main>`,
    '<meta property="og:type" content="article">',
  ),
  kept: [...prose.map((text) => text.slice(0, 60)), 'walk of twenty minutes', 'How to get there'],
  gone: [
    'Share on Facebook',
    'You might also like',
    'Privacy policy',
    'rights reserved',
    'Log in',
    'cookies',
  ],
}
const posts = [
  [
    'tessa_w',
    'Has anybody managed to grind rye on the small stones? Mine clog after a few minutes, and the flour comes out warm.',
  ],
  [
    'oldmiller',
    'You are feeding it too fast. Open the gate by a third at most, and let the stones run empty for a moment between two loads.',
  ],
  [
    'jan',
    'I had the same trouble until I dried the grain for two days. Rye takes up water from the air much faster than wheat does.',
  ],
  [
    'tessa_w',
    'Drying did it, thank you both! The flour is cool now, and the dough behaves quite differently as well.',
  ],
]
const forum: Sample = {
  type: 'forum',
  url: 'https://forum.millstream.example/threads/grinding-rye.4711/',
  title: 'Grinding rye on small stones',
  html: page(
    'Grinding rye on small stones',
    `<div class="breadcrumbs"><a href="/">Forum</a> › <a href="/g">Grinding</a></div><h1 class="thread-title">Grinding rye on small stones</h1><div class="thread">${posts
      .map(
        ([user, text], index) =>
          `<article class="message" id="post-${index}"><div class="message-user"><a href="/u/${user}">${user}</a><div>Joined: 2019</div><div>Messages: 12</div></div><div class="message-body"><p>${text}</p></div><div class="message-actions"><a href="#">Like</a> <a href="#">Reply</a> <a href="#">Report</a></div></article>`,
      )
      .join('')}</div>${related}`,
  ),
  kept: posts.map(([, text = '']) => text.slice(0, 50)),
  gone: ['Privacy policy', 'rights reserved', 'Shop everything', 'You might also like'],
}
const documentation: Sample = {
  type: 'documentation',
  url: 'https://docs.millstream.example/reference/gate',
  title: 'The gate API',
  html: page(
    'The gate API',
    `<div class="layout"><nav class="docs-sidebar toc"><ul>${['Install', 'Quick start', 'Stones', 'Gate', 'Errors', 'Changes'].map((name) => `<li><a href="/${name}">${name} overview</a></li>`).join('')}</ul></nav>
     <main class="docs-content markdown-body"><h1>The gate API</h1><p>The gate decides how much grain reaches the stones. All functions return a promise that is fulfilled when the gate has stopped moving.</p>
     <h2>gate.open(share)</h2><p>Opens the gate to a share between 0 and 1, and rejects with a <code>RangeError</code> for anything else.</p><pre><code class="language-js">await gate.open(0.3)
console.log(gate.share)</code></pre><h2>gate.close()</h2><p>Closes the gate. It is safe to call it more than once, since a closed gate stays closed.</p>
     <table><tr><th>Option</th><th>Meaning</th></tr><tr><td>timeoutMs</td><td>How long to wait for the gate before giving up</td></tr></table></main></div>`,
  ),
  kept: [
    'The gate decides how much grain',
    'gate.open(share)',
    'await gate.open(0.3)',
    'timeoutMs',
    'It is safe to call it',
  ],
  gone: ['Quick start overview', 'Privacy policy', 'rights reserved'],
}
const product: Sample = {
  type: 'product',
  url: 'https://millstream.example/products/hand-mill',
  title: 'Hand mill No. 3',
  html: page(
    'Hand mill No. 3',
    `<main><div class="product"><div class="gallery"><img src="/mill.jpg" alt="Hand mill"></div><div class="product-info"><h1 class="product-title">Hand mill No. 3</h1><span class="price">$189.00</span>
     <button class="add-to-cart">Add to cart</button><div class="product-description"><p>A hand mill with stones of natural basalt, a body of oiled beech and a crank that does not wobble. It grinds a cup of wheat in about two minutes, coarse or fine.</p>
     <ul><li>Stones of natural basalt, 12 cm across</li><li>Body of oiled beech from the valley</li><li>Weighs 4.2 kg, and comes with a clamp</li></ul></div></div></div>
     <section class="recommendations"><h2>Customers also bought</h2><div class="product-card"><a href="/p/1">Flour brush $9.00</a></div><div class="product-card"><a href="/p/2">Linen bag $12.00</a></div></section></main>`,
    '<meta property="og:type" content="product"><script type="application/ld+json">{"@type":"Product","name":"Hand mill No. 3"}</script>',
  ),
  kept: ['stones of natural basalt, a body of oiled beech', 'Weighs 4.2 kg'],
  gone: ['Privacy policy', 'rights reserved', 'Log in', 'Accept all'],
}
const mills = [
  'Upper mill',
  'Lower mill',
  'Mill in the woods',
  'Mill at the weir',
  'Castle mill',
  'Paper mill',
  'Saw mill',
  'Town mill',
]
const cards = (of: (name: string, index: number) => string) =>
  mills.map((name, index) => of(name, index)).join('')
const listing: Sample = {
  type: 'listing',
  url: 'https://millstream.example/best-mills-to-visit',
  title: 'Mills to visit this summer',
  html: page(
    'Mills to visit this summer',
    `<main><h1>Mills to visit this summer</h1><p>We went to all of them by bicycle, and these are the ones to which we would go again.</p><div class="results-list">${cards((name, index) => `<div class="result-item"><h3><a href="/m/${index}">${name}</a></h3><p class="excerpt">Number ${index + 1} is open from May to October, and the baker next door sells bread made of its own flour.</p></div>`)}</div></main>`,
  ),
  kept: ['Upper mill', 'Town mill', 'Number 5 is open from May'],
  gone: ['Privacy policy', 'rights reserved', 'Log in'],
}
const collection: Sample = {
  type: 'collection',
  url: 'https://millstream.example/collections/mills',
  title: 'Mills and stones',
  html: page(
    'Mills and stones',
    `<main class="collection"><h1>Mills and stones</h1><div class="collection-description"><p>Everything for grinding at home, made in the valley and repaired there too, for as long as the workshop stands.</p></div><div class="product-grid">${cards((name, index) => `<div class="product-card"><a href="/products/${index}"><h3 class="card-title">${name} model</h3></a><span class="price">$${index}9.00</span></div>`)}</div></main>`,
  ),
  kept: ['Everything for grinding at home', 'Upper mill model', 'Town mill model'],
  gone: ['Privacy policy', 'rights reserved', 'Log in'],
}
const service: Sample = {
  type: 'service',
  url: 'https://millstream.example/services/repair',
  title: 'We repair mills of every age',
  html: page(
    'Repairs',
    `<main><section class="hero"><h1>We repair mills of every age</h1><p>Send us a picture of your mill, and we tell you within a day what it needs and what that costs.</p><a class="btn cta" href="/book">Book a visit</a></section>
     <section class="features">${['Stones', 'Wheels', 'Dams'].map((name) => `<div class="feature"><h3>${name}</h3><p>Our masons and carpenters have worked on ${name.toLowerCase()} for thirty years, and they give a guarantee of ten years on all that they touch.</p></div>`).join('')}</section></main>`,
  ),
  kept: [
    'We repair mills of every age',
    'Send us a picture of your mill',
    'worked on wheels for thirty years',
  ],
  gone: ['Privacy policy', 'rights reserved', 'Shop everything'],
}

export const samples: readonly Sample[] = [
  article,
  forum,
  documentation,
  product,
  listing,
  collection,
  service,
]
