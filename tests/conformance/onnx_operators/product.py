"""Matrix products."""

from .node import Untranslatable, translates


@translates("MatMul")
def matmul(node):
    return [node.call("matmul", input=node.input(0), other=node.input(1))]


@translates("Gemm")
def gemm(node):
    a, b, c = node.input(0), node.input(1), node.input(2)
    if node.attribute("transA", 0):
        a = node.call("transpose", input=a, dim0=0, dim1=1)
    if node.attribute("transB", 0):
        b = node.call("transpose", input=b, dim0=0, dim1=1)
    alpha, beta = node.attribute("alpha", 1.0), node.attribute("beta", 1.0)
    if c is not None:
        return [node.call("addmm", input=c, mat1=a, mat2=b, beta=beta, alpha=alpha)]
    product = node.call("mm", input=a, mat2=b)
    return [product if alpha == 1.0 else node.call("mul", input=product, other=alpha)]


@translates("MatMulInteger")
def matmul_integer(node):
    factors = []
    for at in (0, 1):
        value, zero = node.call("to", input=node.input(at), dtype="i32"), node.input(at + 2)
        if zero is not None:
            if zero.numel() > 1:
                raise Untranslatable("a zero point per row")
            value = node.call("sub", input=value, other=node.call("to", input=zero, dtype="i32"))
        factors.append(value)
    return [node.call("matmul", input=factors[0], other=factors[1])]


@translates("Einsum")
def einsum(node):
    equation = node.attribute("equation").replace(" ", "")
    x = node.input(0)
    if equation == "bij,bjk->bik":
        return [node.call("bmm", input=x, mat2=node.input(1))]
    if equation == "ij->ji":
        return [node.call("permute", input=x, dims=[1, 0])]
    if equation == "ij->i":
        return [node.call("sum", input=x, dim=[1])]
    if equation == "i,i":
        return [node.call("matmul", input=x, other=node.input(1))]
    raise Untranslatable(f"{equation} is neither a matrix product, a sum nor a transpose")


