export { OpenAI } from 'openai'
