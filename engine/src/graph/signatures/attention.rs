//! Attention.

use super::{Family, Signature, float_result, require};
use crate::graph::{Call, Meta, OpError};
use crate::tensor::DType;

/// `torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False,
/// scale=None, enable_gqa=False)`.
///
/// query `[…, H, L, E]`, key `[…, Hkv, S, E]`, value `[…, Hkv, S, Ev]`; attn_mask broadcasts to `[…, H, L, S]` and is bool
/// (true = take part) or float (added); with enable_gqa H is a multiple of Hkv; scale defaults to 1/√E. is_causal masks
/// as `ones(L, S).tril()`. Result `[…, H, L, Ev]`.
pub static SCALED_DOT_PRODUCT_ATTENTION: Signature = Signature {
    name: "scaled_dot_product_attention",
    family: Family::Attention,
    params: &["query", "key", "value", "attn_mask", "dropout_p", "is_causal", "scale", "enable_gqa"],
    infer: attention,
};

fn attention(call: &Call<Meta>) -> Result<Vec<Meta>, OpError> {
    let query = call.tensor("query")?;
    let key = call.tensor("key")?;
    let value = call.tensor("value")?;
    let rank = query.rank();
    require(rank >= 3, call, "query", || format!("must have at least 3 dimensions, not shape {:?}", query.shape))?;
    for (name, tensor) in [("key", key), ("value", value)] {
        let fits = tensor.rank() == rank && tensor.shape[..rank - 3] == query.shape[..rank - 3];
        require(fits, call, name, || {
            format!("of shape {:?} must have query's batch dimensions {:?}", tensor.shape, query.shape)
        })?;
    }
    let (heads, width) = (query.shape[rank - 3], query.shape[rank - 1]);
    let (kv_heads, source) = (key.shape[rank - 3], key.shape[rank - 2]);
    require(key.shape[rank - 1] == width, call, "key", || {
        format!("must have query's head size {width}, not shape {:?}", key.shape)
    })?;
    require(value.shape[rank - 3] == kv_heads && value.shape[rank - 2] == source, call, "value", || {
        format!("of shape {:?} must have key's heads and length {:?}", value.shape, key.shape)
    })?;
    let grouped = call.bool("enable_gqa", false)?;
    let fits = if grouped { kv_heads > 0 && heads % kv_heads == 0 } else { heads == kv_heads };
    require(fits, call, "key", || {
        format!("has {kv_heads} heads, query {heads}; they must be equal, or divide with enable_gqa")
    })?;
    require(call.float("dropout_p", 0.0)? == 0.0, call, "dropout_p", || {
        "must be 0: a trace holds no randomness".into()
    })?;
    call.opt_float("scale")?;
    let causal = call.bool("is_causal", false)?;
    if let Some(mask) = call.opt_tensor("attn_mask")? {
        require(!causal, call, "attn_mask", || "cannot be given together with is_causal".into())?;
        require(mask.dtype == DType::Bool || mask.dtype.is_float(), call, "attn_mask", || {
            format!("must be bool or float, not {}", mask.dtype)
        })?;
        let mut scores = query.shape.clone();
        scores[rank - 1] = source;
        require(super::broadcast(&mask.shape, &scores).as_ref() == Some(&scores), call, "attn_mask", || {
            format!("of shape {:?} does not broadcast to the scores' {scores:?}", mask.shape)
        })?;
    }
    let mut shape = query.shape.clone();
    shape[rank - 1] = value.shape[rank - 1];
    Ok(vec![Meta::new(float_result(query.dtype), &shape)])
}
