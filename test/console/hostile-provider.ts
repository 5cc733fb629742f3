// A provider whose texts try to become more than text, as pages, models and mail of strangers may.
import { defineAction, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { defineProvider } from '#core/provider.ts'

export const markup =
  '<img src=x onerror="globalThis.attacked=1"><script>globalThis.attacked=1</script>'

export const hostileMarkdown = `# Title ${markup}

[a link](javascript:globalThis.attacked=1) and [another](data:text/html,${encodeURIComponent(markup)})

![a picture](https://tracker.example/pixel.png)

${markup}

| ${markup} | two |
| --- | --- |
| ${markup} | [cell](vbscript:x) |

- ${markup}
- \`${markup}\`

<https://good.example/page>
`

export const hostileProvider = defineProvider({
  id: 'hostile',
  title: `Hostile ${markup}`,
  actions: [
    defineAction('page', {
      summary: `Read a page that attacks. ${markup}`,
      input: z.strictObject({}),
      output: z.looseObject({ content: z.string() }),
      price: 'free',
      example: { input: {}, cents: 0 },
      run: () => ({
        content: hostileMarkdown,
        url: 'javascript:globalThis.attacked=1',
        rows: [
          { title: markup, link: 'javascript:globalThis.attacked=1' },
          { title: 'two', link: 'https://good.example/' },
        ],
      }),
    }),
    defineAction('inbox', {
      summary: 'Read mail that attacks.',
      input: z.strictObject({}),
      output: z.looseObject({ messages: z.array(z.looseObject({})) }),
      price: 'free',
      example: { input: {}, cents: 0 },
      run: () => ({
        messages: ['one', 'two'].map((name) => ({
          from: `"${markup}" <${name}@stranger.example>`,
          subject: `Letter ${markup}`,
          text: hostileMarkdown,
          html: `<body onload="globalThis.attacked=1">${markup}</body>`,
        })),
      }),
    }),
    defineAction('refusal', {
      summary: 'Refuse in words that attack.',
      input: z.strictObject({}),
      output: z.looseObject({}),
      price: 'free',
      example: { input: {}, cents: 0 },
      run() {
        throw fail('bad_request', { message: markup })
      },
    }),
  ],
})
