import { expect, test } from 'vitest'
import { readValues } from './read-values.ts'
import { kindWordsOf, readTopic } from './topic.ts'

const kindWords = kindWordsOf([
  'Search news, papers, posts, patents and trials. tweets, jobs, headcount trend',
])

/** All values of the text are taken. */
const topicOf = (text: string) => {
  const read = readValues(text, '2026-11-28')
  const taken = read.values.filter(({ kind }) => kind !== 'place' && kind !== 'language')
  return readTopic(read, taken, kindWords)
}

test.each([
  ['what did the press write about lithium last week', 'lithium'],
  ['get 50 tweets about openai', 'openai'],
  ['find 5 papers about graph neural networks since 2024', 'graph neural networks'],
  ['find jobs for rust developers in Germany posted in the last week', 'rust developers'],
  ['headcount trend for klarna', 'klarna'],
  ['Make for me a picture: a red fox in the snow', 'red fox in the snow'],
  ['search patents about solid state batteries filed since 2022', 'solid state batteries'],
  ['Ultime notizie sul ponte di Messina, degli ultimi 3 giorni', 'ponte di Messina'],
])('%s', (text, topic) => {
  expect(topicOf(text)).toContain(topic)
  expect(topicOf(text).split(' ').length).toBeLessThanOrEqual(topic.split(' ').length + 3)
})

test.each([
  ['google trends for tea over the past 12 months', 'tea'],
  ['find nurses who earn over 100k', 'nurses'],
])('a word of a value does not begin what this is about: %s', (text, topic) => {
  expect(readTopic(readValues(text, '2026-11-28'), [], kindWords)).toContain(topic)
})

test('a request that names nothing has no topic', () => {
  expect(topicOf('please show me the latest 20 posts')).toBe('')
})
