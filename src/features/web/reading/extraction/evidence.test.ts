import { expect, test } from 'vitest'
import { verify } from './evidence.ts'

const url = 'https://shop.example/kettle'
const page = (text: string) => [{ url, text }]
const judge = (value: unknown, text: string, quote?: string) => {
  const quotes = quote === undefined ? [] : [{ field: 'a', quote }]
  const { data, basis } = verify({ a: value }, quotes, page(text))
  const [{ status, citations } = { status: undefined, citations: [] }] = basis
  return [(data as { a: unknown }).a, status, citations[0]?.excerpt]
}

test.each<[string, unknown, string, string | undefined, unknown[]]>([
  [
    'words of the page',
    'Blue kettle',
    '# Blue kettle',
    undefined,
    ['Blue kettle', 'supported', 'Blue kettle'],
  ],
  [
    'other case and typography',
    'the maker’s mark',
    "The **maker's** mark",
    undefined,
    ['the maker’s mark', 'supported', "The **maker's** mark"],
  ],
  [
    'a quote across a link',
    2,
    'It [holds](https://a.example/b) two litres.',
    'It holds two litres.',
    [2, 'unverified', 'It [holds] two litres'],
  ],
  [
    'an address',
    'https://a.example/b',
    'See [it](https://a.example/b).',
    undefined,
    ['https://a.example/b', 'supported', 'https://a.example/b'],
  ],
  [
    'a number with separators',
    1299.5,
    'Price: € 1.299,50',
    undefined,
    [1299.5, 'supported', '1.299,50'],
  ],
  [
    'a number in English',
    1299.5,
    'Price: $1,299.50.',
    undefined,
    [1299.5, 'supported', '1,299.50'],
  ],
  [
    'a number with spaces',
    12_500,
    'About 12 500 kettles',
    undefined,
    [12_500, 'supported', '12 500'],
  ],
  ['a number in a list', 40, 'Sizes: 38, 40, 42', undefined, [40, 'supported', '40']],
  [
    'two numbers side by side',
    2_024_300,
    'In 2024 300 boxes',
    undefined,
    [null, 'unsupported', undefined],
  ],
  ['a negative number', -12, 'It is −12 degrees', undefined, [-12, 'supported', '12']],
  [
    'a quote that holds the value',
    'Graz',
    'Made in Graz, Austria',
    'Made in Graz',
    ['Graz', 'supported', 'Made in Graz'],
  ],
  [
    'a value that the quote paraphrases',
    true,
    'Delivery costs nothing.',
    'Delivery costs nothing.',
    [true, 'unverified', 'Delivery costs nothing'],
  ],
  [
    'words within a run of Japanese',
    '東京都',
    '所在地は東京都です',
    undefined,
    ['東京都', 'supported', '東京都'],
  ],
  [
    'a Latin word beside Chinese ones',
    'iPhone',
    '購買iPhone手機',
    undefined,
    ['iPhone', 'supported', 'iPhone'],
  ],
  [
    'letters written as two characters',
    'café',
    'Cafe\u0301 Central',
    undefined,
    ['café', 'supported', 'Cafe\u0301'],
  ],
  [
    'a quote that is on no page',
    'green',
    'The green kettle',
    'It is as green as grass.',
    [null, 'unsupported', undefined],
  ],
  [
    'a value that is on no page',
    'red',
    'The green kettle',
    undefined,
    [null, 'unsupported', undefined],
  ],
  ['a part of a word', 'cat', 'A catalogue', undefined, [null, 'unsupported', undefined]],
  ['a part of a number', 29, 'Price: 1299', undefined, [null, 'unsupported', undefined]],
  [
    'a yes without a quote',
    true,
    'Delivery costs nothing.',
    undefined,
    [null, 'unsupported', undefined],
  ],
  ['signs only', '…', 'A kettle …', undefined, [null, 'unsupported', undefined]],
  ['nothing', null, 'A kettle', undefined, [null, 'notFound', undefined]],
  ['an empty text', '', 'A kettle', undefined, [null, 'notFound', undefined]],
])('%s', (_title, value, text, quote, expected) => {
  expect(judge(value, text, quote)).toEqual(expected)
})

test('each value of a list is judged by itself, and cites the page that it is on', () => {
  const other = { url: 'https://shop.example/pot', text: 'Iron pot, 20 €' }
  const data = { items: [{ name: 'Blue kettle' }, { name: 'Iron pot' }, { name: 'Tin cup' }] }
  const found = verify(data, [], [...page('Blue kettle'), other])
  expect(found.data).toEqual({
    items: [{ name: 'Blue kettle' }, { name: 'Iron pot' }, { name: null }],
  })
  expect(found.basis.map(({ field, citations }) => [field, citations[0]?.url])).toEqual([
    ['items.0.name', url],
    ['items.1.name', other.url],
    ['items.2.name', undefined],
  ])
})
