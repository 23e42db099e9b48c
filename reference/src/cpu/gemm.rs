//! Matrix products in f32, by the crate `matrixmultiply`.

/// A matrix in a slice: element (i, j) at `i · row_stride + j · column_stride`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    transposed: bool,
}

impl<'a> Matrix<'a> {
    /// A row-major matrix over all of `values`.
    pub(super) fn new(values: &'a [f32], rows: usize, columns: usize) -> Self {
        assert_eq!(values.len(), rows * columns, "a matrix must fill its slice");
        Matrix { values, rows, columns, transposed: false }
    }

    /// The same matrix with rows and columns exchanged.
    pub(super) fn transposed(self) -> Self {
        Matrix { rows: self.columns, columns: self.rows, transposed: !self.transposed, ..self }
    }

    /// Strides of rows and columns. A slice has at most `isize::MAX` bytes, so they fit.
    fn strides(&self) -> (isize, isize) {
        if self.transposed { (1, self.rows as isize) } else { (self.columns as isize, 1) }
    }
}

/// a · b, row-major.
#[expect(
    unsafe_code,
    reason = "matrixmultiply takes raw pointers; both matrices and the result are checked to fit theirs"
)]
pub(super) fn product(a: Matrix<'_>, b: Matrix<'_>) -> Vec<f32> {
    assert_eq!(a.columns, b.rows, "the matrices must fit");
    let mut result = vec![0.0; a.rows * b.columns];
    let ((a_rows, a_columns), (b_rows, b_columns)) = (a.strides(), b.strides());
    // SAFETY: `Matrix::new` has checked that each slice holds rows · columns elements, which its strides stay within;
    // the result holds a.rows · b.columns elements and overlaps neither.
    unsafe {
        matrixmultiply::sgemm(
            a.rows,
            a.columns,
            b.columns,
            1.0,
            a.values.as_ptr(),
            a_rows,
            a_columns,
            b.values.as_ptr(),
            b_rows,
            b_columns,
            0.0,
            result.as_mut_ptr(),
            b.columns as isize,
            1,
        );
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_with_and_without_transposition_agree_with_sums() {
        let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let b = [1.0, 0.0, 2.0, 0.0, 1.0, -1.0];
        // [1 2 3; 4 5 6] · [1 0; 2 0; 1 −1]
        let expected = [8.0, -3.0, 20.0, -6.0];
        assert_eq!(product(Matrix::new(&a, 2, 3), Matrix::new(&b, 3, 2)), expected);
        let b_by_columns = [1.0, 2.0, 1.0, 0.0, 0.0, -1.0];
        assert_eq!(product(Matrix::new(&a, 2, 3), Matrix::new(&b_by_columns, 2, 3).transposed()), expected);
    }
}
