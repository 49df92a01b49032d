/** Set for whatever we start to learn: a hook that sees it does nothing, so that learning never leads to learning. */
export const LEARNING_MARK = 'REVERIE_LEARNING';
