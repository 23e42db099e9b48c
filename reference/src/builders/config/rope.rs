//! Rotary position embeddings: the frequencies.

use super::{ConfigError, Keys};

/// How the frequencies are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// Base of the frequencies, θ.
    pub theta: f64,
    /// How they are stretched for longer contexts.
    pub scaling: RopeScaling,
}

/// Stretching of the frequencies, after transformers' `modeling_rope_utils.py`.
#[derive(Clone, Debug, PartialEq)]
pub enum RopeScaling {
    /// None.
    None,
    /// All frequencies divided by a factor.
    Linear {
        /// Factor.
        factor: f64,
    },
    /// Llama 3: low frequencies divided, high ones kept, those between blended.
    Llama3 {
        /// Factor.
        factor: f64,
        /// Wavelengths above `original_max_position_embeddings` / this are divided by the factor.
        low_freq_factor: f64,
        /// Wavelengths below `original_max_position_embeddings` / this are kept.
        high_freq_factor: f64,
        /// Context length that the model was first trained on.
        original_max_position_embeddings: f64,
    },
    /// Each frequency divided by a factor of its own, as a GGUF file's tensor `rope_freqs.weight` holds them.
    Factors(Vec<f32>),
}

impl Rope {
    /// Reads `rope_parameters` (transformers 5), or `rope_theta` and `rope_scaling` (before).
    ///
    /// # Errors
    /// When the type of scaling is unknown or one of its values is missing.
    pub fn read(keys: &Keys<'_>, default_theta: f64) -> Result<Self, ConfigError> {
        let parameters = keys.object("rope_parameters")?;
        let scaling = keys.object("rope_scaling")?;
        let own_theta = parameters.as_ref().map(|keys| keys.opt_float("rope_theta")).transpose()?.flatten();
        let theta = own_theta.or(keys.opt_float("rope_theta")?).unwrap_or(default_theta);
        let scaling = parameters.or(scaling).map(|keys| scaling_of(&keys)).transpose()?.unwrap_or(RopeScaling::None);
        Ok(Rope { theta, scaling })
    }

    /// `inv_freq` of a head of `width` elements: θ^(−2i/width) for i < width/2, stretched. Computed in f64, rounded once.
    pub fn inverse_frequencies(&self, width: usize) -> Vec<f32> {
        (0..width / 2)
            .map(|i| {
                let plain = 1.0 / self.theta.powf(2.0 * i as f64 / width as f64);
                self.stretch(i, plain) as f32
            })
            .collect()
    }

    fn stretch(&self, at: usize, frequency: f64) -> f64 {
        match &self.scaling {
            RopeScaling::None => frequency,
            RopeScaling::Linear { factor } => frequency / factor,
            RopeScaling::Factors(factors) => frequency / factors.get(at).copied().map_or(1.0, f64::from),
            RopeScaling::Llama3 { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings } => {
                let original = *original_max_position_embeddings;
                let wavelength = 2.0 * std::f64::consts::PI / frequency;
                if wavelength > original / low_freq_factor {
                    frequency / factor
                } else if wavelength < original / high_freq_factor {
                    frequency
                } else {
                    let smooth = (original / wavelength - low_freq_factor) / (high_freq_factor - low_freq_factor);
                    (1.0 - smooth) * frequency / factor + smooth * frequency
                }
            }
        }
    }
}

fn scaling_of(keys: &Keys<'_>) -> Result<RopeScaling, ConfigError> {
    let key = if keys.get("rope_type").is_some() { "rope_type" } else { "type" };
    match keys.opt_text(key)? {
        None | Some("default") => Ok(RopeScaling::None),
        Some("linear") => Ok(RopeScaling::Linear { factor: keys.float("factor")? }),
        Some("llama3") => Ok(RopeScaling::Llama3 {
            factor: keys.float("factor")?,
            low_freq_factor: keys.float("low_freq_factor")?,
            high_freq_factor: keys.float("high_freq_factor")?,
            original_max_position_embeddings: keys.float("original_max_position_embeddings")?,
        }),
        Some(_) => Err(keys.unsupported(key, "\"default\", \"linear\", \"llama3\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_fall_geometrically() {
        let rope = Rope { theta: 10_000.0, scaling: RopeScaling::None };
        // 10000^(-2i/8) = 10^(-i)
        assert_eq!(rope.inverse_frequencies(8), [1.0, 0.1, 0.01, 0.001]);
        let halved = Rope { theta: 10_000.0, scaling: RopeScaling::Linear { factor: 2.0 } };
        assert_eq!(halved.inverse_frequencies(8), [0.5, 0.05, 0.005, 0.0005]);
    }

    #[test]
    fn llama3_keeps_high_frequencies_and_divides_low_ones() {
        let scaling = RopeScaling::Llama3 {
            factor: 8.0,
            low_freq_factor: 1.0,
            high_freq_factor: 4.0,
            original_max_position_embeddings: 8192.0,
        };
        let plain = Rope { theta: 500_000.0, scaling: RopeScaling::None }.inverse_frequencies(128);
        let scaled = Rope { theta: 500_000.0, scaling }.inverse_frequencies(128);
        assert_eq!(plain[0], scaled[0]);
        assert_eq!(plain[63] / 8.0, scaled[63]);
        // Wavelengths between 2048 and 8192 are blended: i = 30 has 2π·500000^(60/128) ≈ 2950.
        assert!(scaled[30] < plain[30] && scaled[30] > plain[30] / 8.0);
    }
}
