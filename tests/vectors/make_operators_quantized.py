"""Expected results of grouped products, 8-bit floats and quantised weights: operators-quantized.safetensors and
operators-quantized.json.

    python3 make_operators_quantized.py [FOLDER]
"""

import torch

from make_operators import BY_NAME, DTYPES, EXACT, INF, OPERATORS, argument, case, cases, integers, normal, store, target_folder, write

NAN = float("nan")
EIGHT_BITS = {torch.float8_e4m3fn: "f8_e4m3", torch.float8_e5m2: "f8_e5m2"}
DTYPES.update(EIGHT_BITS)
BY_NAME.update({name: dtype for dtype, name in EIGHT_BITS.items()})
HALVES = [torch.float16, torch.bfloat16]


def grouped_mm(mat_a, mat_b, offs=None, out_dtype=None):
    """Each group's product, one by one; what belongs to no group is 0, where PyTorch leaves memory unset."""
    given = mat_a.dtype
    wide = given if given == torch.float64 else torch.float32
    result = grouped_loop(mat_a.to(wide), mat_b.to(wide), offs)
    if wide == torch.float64:
        return result
    check_grouped(mat_a, mat_b, offs, result)
    return result.to(BY_NAME[out_dtype] if out_dtype else given)


def grouped_loop(mat_a, mat_b, offs):
    if offs is None:
        return torch.stack([a @ b for a, b in zip(mat_a, mat_b, strict=True)])
    ends = [int(end) for end in offs]
    groups = list(zip([0, *ends], ends))
    if mat_a.dim() == mat_b.dim():
        parts = [mat_a[:, start:end] @ mat_b[start:end] for start, end in groups]
        return torch.stack(parts) if parts else mat_a.new_zeros(0, mat_a.shape[0], mat_b.shape[1])
    result = mat_a.new_zeros(mat_a.shape[-2], mat_b.shape[-1])
    for group, (start, end) in enumerate(groups):
        if mat_b.dim() == 3:
            result[start:end] = mat_a[start:end] @ mat_b[group]
        else:
            result[:, start:end] = mat_a[group] @ mat_b[:, start:end]
    return result


def check_grouped(mat_a, mat_b, offs, result):
    """PyTorch's own kernel agrees, where rows are multiples of 16 bytes, which it demands."""
    rows = [matrix.shape[-1] for matrix in (mat_a, mat_b)]
    if any(row == 0 or row * mat_a.element_size() % 16 for row in rows) or not mat_a.numel():
        return
    found = torch._grouped_mm(mat_a, mat_b, offs=offs).float()
    if offs is not None and mat_a.dim() != mat_b.dim():
        last = int(offs[-1])
        found, result = (found[:last], result[:last]) if mat_b.dim() == 3 else (found[:, :last], result[:, :last])
    torch.testing.assert_close(found, result, rtol=2**-7, atol=1e-4, equal_nan=True)
    CHECKED.append(tuple(mat_a.shape))


CHECKED = []
OPERATORS["grouped_mm"] = grouped_mm
OPERATORS["_grouped_mm"] = lambda input, mat2, offs=None, out_dtype=None: grouped_mm(input, mat2, offs, out_dtype)


def ends(*values):
    return torch.tensor(values, dtype=torch.int32)


def grouped_cases():
    def experts(mat_a, mat_b, offs):
        return {"mat_a": normal(*mat_a), "mat_b": normal(*mat_b), "offs": ends(*offs)}

    case("grouped_mm", "experts", **experts((16, 32), (4, 32, 16), (4, 4, 10, 16)))
    case("grouped_mm", "experts_and_rest", **experts((20, 16), (3, 16, 8), (5, 5, 17)))
    case("grouped_mm", "all_to_one", **experts((9, 8), (3, 8, 4), (0, 9, 9)))
    case("grouped_mm", "odd_sizes", **experts((7, 5), (2, 5, 3), (3, 7)))
    case("grouped_mm", "one_row_each", **experts((5, 33), (5, 33, 9), (1, 2, 3, 4, 5)))
    case("grouped_mm", "tile_edges", **experts((50, 17), (3, 17, 66), (16, 33, 50)))
    case("grouped_mm", "columns", **experts((2, 12, 16), (16, 24), (5, 24)))
    case("grouped_mm", "columns_and_rest", **experts((3, 5, 7), (7, 20), (9, 9, 14)))
    case("grouped_mm", "depth", **experts((8, 16), (16, 8), (5, 16)))
    case("grouped_mm", "depth_and_rest", **experts((9, 70), (70, 5), (1, 1, 40, 66)))
    case("grouped_mm", "batch", mat_a=normal(3, 5, 8), mat_b=normal(3, 8, 4))
    case("grouped_mm", "no_rows", **experts((0, 16), (2, 16, 8), (0, 0)))
    case("grouped_mm", "nothing_deep", **experts((5, 0), (2, 0, 8), (2, 4)))
    case("grouped_mm", "no_groups", **experts((8, 5), (5, 8), ()))
    case("_grouped_mm", "experts", input=normal(12, 8), mat2=normal(2, 8, 4), offs=ends(5, 12))
    case("_grouped_mm", "depth", input=normal(4, 12), mat2=normal(12, 4), offs=ends(5, 12))
    case("_grouped_mm", "batch", input=normal(2, 4, 8), mat2=normal(2, 8, 4))
    for dtype in HALVES:
        name = str(dtype).removeprefix("torch.")
        case("grouped_mm", name, mat_a=normal(24, 32, dtype=dtype), mat_b=normal(3, 32, 16, dtype=dtype), offs=ends(3, 19, 24))
        case("grouped_mm", f"depth_{name}", mat_a=normal(8, 32, dtype=dtype), mat_b=normal(32, 8, dtype=dtype), offs=ends(9, 32))
        case("grouped_mm", f"f32_of_{name}", mat_a=normal(9, 16, dtype=dtype), mat_b=normal(2, 16, 8, dtype=dtype),
             offs=ends(3, 9), out_dtype="f32")
    values = normal(2, 8, 4)
    values[0, 1, 2], values[1, 2, 3], values[1, 3, 0] = NAN, INF, -INF
    case("grouped_mm", "nan_and_infinity", mat_a=normal(9, 8).abs() + 0.1, mat_b=values, offs=ends(4, 9))
    # Weights in nn.Linear's layout, seen through their transposition; a trace stores what the operator sees.
    case("grouped_mm", "transposed_experts", mat_a=normal(11, 24), mat_b=normal(2, 16, 24).transpose(-2, -1), offs=ends(8, 11))


def given_case(op, name, expected, source, **args):
    """A case whose results are given: PyTorch has no such call, or none in f64."""
    identifier = f"{op}.{name}"
    assert expected.dtype == torch.float64 and expected.shape == source.shape, identifier
    cases.append({
        "id": identifier, "op": op, "args": {key: argument(f"{identifier}.{key}", value) for key, value in args.items()},
        "expected": [store(f"{identifier}.expected", expected)], "source": [store(f"{identifier}.source", source)],
    })


def every_code(dtype):
    return torch.arange(256, dtype=torch.uint8).view(dtype)


def to_eight_bits(name, input, dtype):
    """Exact but for e4m3's largest number, which stands for all that is larger."""
    expected = input.double()
    if dtype == torch.float8_e4m3fn:
        expected = torch.where(expected.isnan(), expected, expected.clamp(-448.0, 448.0))
    given_case("to", f"{name}_to_{EIGHT_BITS[dtype]}", expected, input.to(dtype), input=input, dtype=EIGHT_BITS[dtype])


def eight_bit_cases():
    moved = {
        "index_select": lambda input, dim, index: torch.index_select(input, dim, index), "flip": torch.flip,
        "stack": torch.stack, "reshape": torch.reshape, "isnan": torch.isnan,
    }
    OPERATORS.update(moved)
    EXACT.update(moved)
    for dtype, name in EIGHT_BITS.items():
        codes = every_code(dtype)
        for target in ["f32", "f16", "bf16", "f8_e4m3", "f8_e5m2"]:
            if target in EIGHT_BITS.values():
                to_eight_bits(f"every_{name}", codes, BY_NAME[target])
            else:
                given_case("to", f"every_{name}_to_{target}", codes.double(), codes.to(BY_NAME[target]), input=codes, dtype=target)
        finite = codes.float()[codes.float().isfinite()].sort().values
        middles = (finite[1:] + finite[:-1]) / 2
        up, down = middles.nextafter(torch.tensor(INF)), middles.nextafter(torch.tensor(-INF))
        to_eight_bits("near_middles", torch.cat([middles, up, down]), dtype)
        to_eight_bits("large", torch.tensor([448.0, 464.0, 465.0, -500.0, 57344.0, 61439.0, 61440.0, -1e30, INF, -INF, NAN]), dtype)
        to_eight_bits("small", torch.tensor([0.0, -0.0, 2.0**-10, 2.0**-17, 1e-3, -1e-5, 1e-30, 1e-40]), dtype)
        to_eight_bits("i64", torch.tensor([0, 3, -17, 300]), dtype)
        to_eight_bits("halves", normal(3, 5, scale=20.0, dtype=torch.float16), dtype)
        weight = normal(6, 40).to(dtype)
        for dt in [torch.float32, torch.float16, torch.bfloat16]:
            input = normal(3, 40, dtype=dt)
            exact = input.double() @ weight.double().T
            source = (input.float() @ weight.float().T).to(dt)
            given_case("linear", f"{name}_{DTYPES[dt]}", exact, source, input=input, weight=weight)
            across = weight.T.contiguous()
            given_case("matmul", f"{name}_{DTYPES[dt]}", exact, source, input=input, other=across)
            given_case("mm", f"{name}_{DTYPES[dt]}", exact, source, input=input, mat2=across)
        case("embedding", name, weight=weight, indices=integers(0, 6, 2, 3))
        case("clone", name, input=normal(3, 5).to(dtype))
        case("cat", name, tensors=[normal(2, 3).to(dtype), normal(1, 3).to(dtype)], dim=0)
        case("stack", name, tensors=[normal(3).to(dtype), normal(3).to(dtype)], dim=1)
        case("flip", name, input=normal(3, 5).to(dtype), dims=[0])
        case("reshape", name, input=normal(3, 5).to(dtype), shape=[5, 3])
        case("index_select", name, input=normal(3, 5).to(dtype), dim=1, index=torch.tensor([4, 0, 0]))
        case("where", name, condition=integers(0, 2, 7).bool(), input=normal(7).to(dtype), other=normal(7).to(dtype))
        case("eq", name, input=codes[:40].clone(), other=codes[4:44].clone())
        case("isnan", name, input=codes)


def main():
    for group in [grouped_cases, eight_bit_cases]:
        group()
    assert len(CHECKED) >= 10, "PyTorch's own kernel was hardly asked"
    write(target_folder(), "operators-quantized")


if __name__ == "__main__":
    main()
