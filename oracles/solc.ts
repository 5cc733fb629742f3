export { default as solc } from 'solc'
