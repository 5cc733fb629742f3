export { paymentMiddleware, x402ResourceServer } from '@x402/express'
export { default as express } from 'express'
