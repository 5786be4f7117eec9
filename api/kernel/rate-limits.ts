/** The groups of spec section 8. The limits themselves are a data table beside the limiter. */
export type RateGroup = 'send' | 'bulk' | 'login' | 'general' | 'public';
